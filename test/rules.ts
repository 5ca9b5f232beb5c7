/** Reads the rules that the tests check from the titles of the tests. `npm run rules` prints them as Markdown. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Rule {
  readonly id: string
  readonly text: string
  /** Relative to the folder of tests. */
  readonly file: string
}

export function readRules(): Rule[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8')
      // A title is quoted and begins with an id in brackets.
      const titles = text.matchAll(/(['"`])\[([A-Z]+[0-9]+[a-z]?)\] (.*?)(?<!\\)\1/g)
      return [...titles].map(([, , id, rule]) => ({
        id: id as string,
        text: (rule as string).replaceAll('\\', ''),
        file,
      }))
    })
}

function format(rules: readonly Rule[]): string {
  const byFile = Map.groupBy(rules, ({ file }) => file)
  const sections = [...byFile].map(
    ([file, own]) =>
      `## ${file.replace('.test.ts', '')}\n\n${own.map(({ id, text }) => `- **${id}** ${text}`).join('\n')}\n`,
  )
  return sections.join('\n')
}

if (import.meta.main) process.stdout.write(format(readRules()))
