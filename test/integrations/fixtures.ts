/** Payloads that senders document, in files by the name of the integration, with the messages that they become. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** When they arrive: after the end of each alert that is over. */
export const ARRIVAL_SECONDS = Date.parse('2026-11-20T12:00:00Z') / 1_000

const FOLDER = join(import.meta.dirname, 'fixtures')

/** A webhook, and its message. `UPDATE_DOCS=1` writes the message anew. */
export interface Fixture {
  readonly title: string
  readonly headers?: Readonly<Record<string, string>>
  /** The content type of a payload that is a text. */
  readonly raw?: string
  /** Whether the JSON is the field `payload` of a form. */
  readonly form?: true
  readonly payload: unknown
  /** The event, if it is not posted. */
  readonly ignored?: string
  topic?: string
  /** Lines of Markdown. */
  content?: readonly string[]
  /** Lines of HTML. */
  html?: readonly string[]
}

/** All fixtures, by the name of their integration. */
export const FIXTURES: ReadonlyMap<string, readonly Fixture[]> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Fixture[],
    ]),
)

export function writeFixtures(name: string, fixtures: readonly Fixture[]): void {
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(fixtures, null, 2)}\n`)
}
