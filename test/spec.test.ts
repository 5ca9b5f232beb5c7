/** Compares docs/SPEC.md with the titles of the tests: the tested rules, each with a unique id. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const SPEC = join(import.meta.dirname, '../docs/SPEC.md')
const HEAD = `# The rules

The rules that the tests check, by the ids in their titles. \`UPDATE_DOCS=1 npm test -- test/spec.test.ts\` writes
this page anew.
`

interface Rule {
  readonly id: string
  readonly text: string
  readonly file: string
}

function readRules(): Rule[] {
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
      `\n## ${file.replace('.test.ts', '')}\n\n${own.map(({ id, text }) => `- **${id}** ${text}`).join('\n')}\n`,
  )
  return HEAD + sections.join('')
}

t.test('[SPEC1] every rule has a unique id', async (t) => {
  const ids = readRules().map(({ id }) => id)
  t.same(ids, [...new Set(ids)])
})

t.test('[SPEC2] the page of rules lists the titles of the tests', async (t) => {
  const page = format(readRules())
  if (process.env.UPDATE_DOCS === '1') writeFileSync(SPEC, page)
  t.equal(readFileSync(SPEC, 'utf8'), page)
})
