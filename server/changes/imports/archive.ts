/** A set of files by names, which readers of all products read: a zip, or a folder. */

import type { ForeignFiles } from './records.ts'

/** A file of an archive. */
export interface ArchiveEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** An archive that is open. */
export interface Archive {
  /** The names of all files. */
  readonly names: IterableIterator<string>
  /** Names that were left out, each with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
  find(name: string): ArchiveEntry | undefined
  /** The bytes of an entry of this archive; rejects with an `EntryError`. */
  read(entry: ArchiveEntry): Promise<Buffer>
  /** The same in parts, for entries of any size; throws an `EntryError` at the end of those that are damaged. */
  stream(entry: ArchiveEntry): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** The files of an archive; `namesOf` answers the names that a path of a record may have in it. */
export function filesOf(
  archive: Archive,
  namesOf: (path: string) => readonly string[] = (path) => [path],
): ForeignFiles {
  return {
    open(path) {
      for (const name of namesOf(path)) {
        const entry = archive.find(name)
        if (entry) return { size: entry.size, read: () => archive.stream(entry) }
      }
      return undefined
    },
    close: () => archive.close(),
  }
}
