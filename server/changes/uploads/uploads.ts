/** The limits of uploads, and files that have arrived. */

import type { Imager } from '../../../workers/pool/imager.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Sending } from '../sending.ts'

/** Services that receive, store and show files. */
export interface Filing extends Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'> {
  /** The bytes of uploads. */
  readonly fileStore: FileStore
  readonly uploads: Uploads
  readonly imager: Imager
  /** Gets the failures that no request waits for. */
  readonly onError: (error: unknown) => void
}

/** The limits of uploads. */
export interface Uploads {
  /** MiB of one file. */
  readonly mibMax: number
  /** MiB of all files together; null without a limit. */
  readonly quotaMib: number | null
  /** Whether downloads are redirected to the object store. */
  readonly isRedirected: boolean
}

/** A complete file in the store, without an event yet. */
export interface ArrivedFile {
  readonly key: string
  /** Its name, as the client sent it. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Bytes of a MiB. */
export const BYTES_PER_MIB = 1024 * 1024
