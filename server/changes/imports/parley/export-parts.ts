/** The parts of an export of this server's kind (`docs/export.md`): what it is, and its lists. */

import type { Archive, ArchiveEntry } from '../archive.ts'
import { type Fields, toFields } from '../fields.ts'
import { ImportError } from '../records.ts'
import { EntryError } from '../archive.ts'

const HEAD = 'export.json'

/** The record that says what an archive is; throws an `ImportError` if it is no export. */
export async function readExportHead(archive: Archive, path: string): Promise<Fields> {
  const entry = await archive.find(HEAD)
  if (!entry) throw new ImportError(`${path} has no ${HEAD}: it is not an export of Parley`)
  let head: Fields
  try {
    head = toFields(JSON.parse((await entry.read()).toString('utf8')))
  } catch (error) {
    if (!(error instanceof EntryError) && !(error instanceof SyntaxError)) throw error
    throw new ImportError(`${path}: ${HEAD} cannot be read: ${error.message}`, { cause: error })
  }
  if (head['format'] !== 'parley-export') throw new ImportError(`${path} is not an export of Parley`)
  return head
}

/** The entries of a list: a long one continues in others. */
export async function* entriesOf(archive: Archive, list: string): AsyncGenerator<ArchiveEntry> {
  for (let part = 1; ; part++) {
    const entry = await archive.find(`${list}${part > 1 ? `-${part}` : ''}.jsonl`)
    if (!entry) return
    yield entry
  }
}
