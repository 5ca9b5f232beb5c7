/** How much may be uploaded, and what has arrived. */

/** What bounds uploads, and signs their addresses. */
export interface Uploads {
  /** MiB of one file. */
  readonly mibMax: number
  /** MiB of all files together; null where nothing bounds them. */
  readonly quotaMib: number | null
  /** Signs temporary addresses; the same in every process. */
  readonly secret: Uint8Array
}

/** A file that came whole to the file store, and of which nobody is told yet. */
export interface ArrivedFile {
  readonly key: string
  /** As its client called it. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Bytes of a MiB. */
export const BYTES_PER_MIB = 1024 * 1024
