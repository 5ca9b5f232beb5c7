/** A set of files by names, which readers of all products read: a zip, a tar, or a folder. */

import type { ForeignFiles } from './records.ts'

/** Bytes of an entry that is read as a whole: a day of the busiest channel has some megabytes. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024

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
  /** Its bytes; rejects with an `EntryError`. */
  read(): Promise<Buffer>
  /** The same in parts, for entries of any size; throws an `EntryError` at the end of those that are damaged. */
  stream(): AsyncGenerator<Buffer>
}

/** An archive that is open. Names are on the disk: an archive may have millions. */
export interface Archive {
  /** The names of all files. */
  names(): AsyncGenerator<string>
  find(name: string): Promise<ArchiveEntry | undefined>
  close(): Promise<void>
}

/** The names that pass: an archive may have many more. */
export async function filterNames(archive: Archive, isWanted: (name: string) => boolean): Promise<string[]> {
  const wanted: string[] = []
  for await (const name of archive.names()) if (isWanted(name)) wanted.push(name)
  return wanted
}

/** Throws an `EntryError` if an entry is too large to be read as a whole. */
export function checkWhole(size: number): void {
  if (size > WHOLE_BYTES_MAX) throw new EntryError(`it is larger than ${WHOLE_BYTES_MAX} bytes`)
}

/** The files of an archive; `namesOf` answers the names that a path of a record may have in it, and `close` ends it. */
export function filesOf(
  archive: Archive,
  {
    namesOf = (path: string): readonly string[] => [path],
    close = () => archive.close(),
  }: { readonly namesOf?: (path: string) => readonly string[]; readonly close?: () => Promise<void> } = {},
): ForeignFiles {
  return {
    async open(path) {
      for (const name of namesOf(path)) {
        const entry = await archive.find(name)
        if (entry) return { size: entry.size, read: () => entry.stream() }
      }
      return undefined
    },
    close,
  }
}
