/**
 * Catalogues as translators know them: PO files of GNU gettext.
 * https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
 */

import { contextual } from './texts.ts'

export interface PoEntry {
  /** The English text. */
  readonly id: string
  readonly context?: string
  /** Empty while it has none. */
  readonly translation: string
  /** Whether a translator should look again: such an entry counts as not translated. */
  readonly isFuzzy: boolean
}

/** The entries of a file, without its head. Plural forms are part of a text, so `msgid_plural` is an error. */
export function readPo(source: string): readonly PoEntry[] {
  return source
    .split(/\n\s*\n/)
    .map(readEntry)
    .filter((entry) => entry !== undefined)
}

function readEntry(block: string): PoEntry | undefined {
  const fields: Record<string, string> = {}
  let isFuzzy = false
  let field = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('#')) {
      isFuzzy ||= /^#,.*\bfuzzy\b/.test(line)
      continue
    }
    const match = /^(?:(msgctxt|msgid|msgstr)\s+)?("(?:[^"\\]|\\.)*")\s*$/.exec(line)
    if (!match) {
      if (line.trim() !== '') throw new Error(`a line of a PO file is not readable: ${line}`)
      continue
    }
    field = match[1] ?? field
    fields[field] = (fields[field] ?? '') + (JSON.parse(match[2] ?? '""') as string)
  }
  const { msgid: id = '', msgctxt: context, msgstr: translation = '' } = fields
  return id === '' ? undefined : { id, ...(context !== undefined && { context }), translation, isFuzzy }
}

/** The translations of a file by the names of their texts. */
export function catalogueOf(source: string): Readonly<Record<string, string>> {
  const done = readPo(source).filter(({ translation, isFuzzy }) => translation !== '' && !isFuzzy)
  return Object.fromEntries(
    done.map(({ id, context, translation }) => [
      context === undefined ? id : contextual(context, id),
      translation,
    ]),
  )
}

/** A file of these entries, in this order. */
export function writePo(
  language: string,
  entries: readonly (PoEntry & { readonly where?: string })[],
): string {
  const head = `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n`
  const blocks = entries.map(({ id, context, translation, isFuzzy, where }) =>
    [
      ...(where === undefined ? [] : [`#: ${where}`]),
      ...(isFuzzy ? ['#, fuzzy'] : []),
      ...(context === undefined ? [] : [`msgctxt ${JSON.stringify(context)}`]),
      `msgid ${JSON.stringify(id)}`,
      `msgstr ${JSON.stringify(translation)}`,
      '',
    ].join('\n'),
  )
  return [head, ...blocks].join('\n')
}
