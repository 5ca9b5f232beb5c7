/** Opens an export of this server's kind to compare it: damage ends the comparison. */

import { createHash } from 'node:crypto'
import type { Archive } from '../../changes/imports/archive.ts'
import { type Fields, toFields } from '../../changes/imports/fields.ts'
import { readJsonLines } from '../../changes/imports/json-lines.ts'
import { openArchive } from '../../changes/imports/open-archive.ts'
import { entriesOf, readExportHead } from '../../changes/imports/parley/export-parts.ts'
import { ImportError } from '../../changes/imports/records.ts'

/** An export that is open. */
export class OpenExport {
  readonly head: Fields
  readonly #archive: Archive

  constructor(archive: Archive, head: Fields) {
    this.#archive = archive
    this.head = head
  }

  /** The records of a list, from all of its parts. */
  async *list(name: string): AsyncGenerator<Fields> {
    for await (const entry of entriesOf(this.#archive, name)) {
      const lines = readJsonLines(entry.stream(), (line, reason) => {
        throw new ImportError(`${entry.name}, line ${line}: ${reason}`)
      })
      for await (const value of lines) yield toFields(value)
    }
  }

  /** The hash of an entry's bytes; undefined if there is none. */
  async hashOf(name: unknown): Promise<string | undefined> {
    const entry = typeof name === 'string' ? await this.#archive.find(name) : undefined
    if (!entry) return undefined
    const hash = createHash('sha256')
    for await (const chunk of entry.stream()) hash.update(chunk)
    return hash.digest('hex')
  }

  close(): Promise<void> {
    return this.#archive.close()
  }
}

/** Opens an export; throws an `ImportError` if it is none. */
export function openExport(path: string): Promise<OpenExport> {
  const refuse = ({ reason, example }: { readonly reason: string; readonly example: string }) => {
    throw new ImportError(`${path}: ${reason}: ${example}`)
  }
  return openArchive(
    path,
    refuse,
    async (archive) => new OpenExport(archive, await readExportHead(archive, path)),
  )
}
