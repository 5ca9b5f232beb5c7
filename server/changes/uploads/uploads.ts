/** How much may be uploaded, and what has arrived. */

import type { Imager } from '../../../workers/pool/imager.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Sending } from '../sending.ts'

/** What files are taken in, kept and shown with. */
export interface Filing extends Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'> {
  /** The bytes of uploads. */
  readonly fileStore: FileStore
  readonly uploads: Uploads
  readonly imager: Imager
  /** Told of a failure of what nobody waits for. */
  readonly onError: (error: unknown) => void
}

/** What bounds uploads, and signs their addresses. */
export interface Uploads {
  /** MiB of one file. */
  readonly mibMax: number
  /** MiB of all files together; null where nothing bounds them. */
  readonly quotaMib: number | null
  /** Signs temporary addresses; the same in every process. */
  readonly secret: Uint8Array
}

/** A file that came whole to the file store, and that nobody is told of yet. */
export interface ArrivedFile {
  readonly key: string
  /** As its client called it. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Bytes of a MiB. */
export const BYTES_PER_MIB = 1024 * 1024
