/** A set of files by names, which readers of all products read: a zip, or a folder. */

import type { OpenEntry } from './records.ts'

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

/** An entry by its name, as a source opens it. */
export function openEntry(archive: Archive, name: string): OpenEntry | undefined {
  const entry = archive.find(name)
  return entry && { size: entry.size, read: () => archive.stream(entry) }
}
