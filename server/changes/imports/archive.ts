/** A set of files by names, which readers of all products read: a zip, or a folder. */

import type { ForeignFiles } from './records.ts'

/** Files of a folder or a tar: each takes some 200 bytes of memory. */
export const ENTRIES_MAX = 500_000
/** Bytes of an entry that is read as a whole: a day of the busiest channel has some megabytes. */
export const WHOLE_BYTES_MAX = 64 * 1024 * 1024

/** An entry that is damaged, or too large to be honest. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
}

/** Reports a name that an archive leaves out while it is opened. */
export type Refuse = (name: string, reason: string) => void

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
  find(name: string): ArchiveEntry | undefined
  /** Finds names by a part of them; names without the part are left out, and of several with one the last one counts. */
  indexNames(partOf: (name: string) => string | undefined): (part: string) => string | undefined
  /** The bytes of an entry of this archive; rejects with an `EntryError`. */
  read(entry: ArchiveEntry): Promise<Buffer>
  /** The same in parts, for entries of any size; throws an `EntryError` at the end of those that are damaged. */
  stream(entry: ArchiveEntry): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** The names that pass: an archive may have many more. */
export function filterNames({ names }: Archive, isWanted: (name: string) => boolean): string[] {
  const wanted: string[] = []
  for (const name of names) if (isWanted(name)) wanted.push(name)
  return wanted
}

/** The index of an archive that is not larger than some hundred thousand files. */
export function mapNames(
  names: Iterable<string>,
  partOf: (name: string) => string | undefined,
): (part: string) => string | undefined {
  const found = new Map<string, string>()
  for (const name of names) {
    const part = partOf(name)
    if (part !== undefined) found.set(part, name)
  }
  return (part) => found.get(part)
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
