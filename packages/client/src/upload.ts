/** Uploads by tus: in pieces, each stored by the server before the next is sent. */

import type { DetailedError, UploadOptions as TusOptions } from 'tus-js-client'
import { ApiError, ConnectionError } from './errors.ts'
import type { Connection } from './http.ts'

/** Bytes of a piece: the most that is sent again after a lost connection. */
const PIECE_BYTES = 8 * 1024 * 1024
const RETRY_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]

/** Outside of browsers tus-js-client takes only Node's buffers; this reads pieces of blobs and arrays, too. */
const PIECE_READER: NonNullable<TusOptions['fileReader']> = {
  openFile: async (file: Blob | Uint8Array) => {
    const size = file instanceof Blob ? file.size : file.byteLength
    return {
      size,
      slice: async (start: number, end: number) => {
        const piece = file.slice(start, end)
        const bytes = piece instanceof Blob ? new Uint8Array(await piece.arrayBuffer()) : piece
        // Its HTTP stack reads `size` for the header `Content-Length`.
        return { value: Object.assign(bytes, { size: bytes.byteLength }), done: end >= size }
      },
      close: () => undefined,
    }
  },
}

/** The progress of an upload. */
export interface UploadProgress {
  readonly bytesStored: number
  readonly bytesTotal: number
}

/** The file to upload. */
export interface UploadOptions {
  readonly name: string
  /** Such as `image/png`. */
  readonly type?: string
  /** The import that it is the archive of: then the file is no upload, and `url` is undefined. */
  readonly importId?: number
  readonly signal?: AbortSignal
  /** The place of an earlier upload, to resume it. */
  readonly resumeAt?: string
  /** Called when the server has a place for the file: if stored, another run of the program can resume there. */
  readonly onPlace?: (place: string) => void
  readonly onProgress?: (progress: UploadProgress) => void
}

/** A file on the server. */
export interface Uploaded {
  /** The path of the file, for a link in Markdown. */
  readonly url: string
  readonly filename: string
}

/** Uploads a file; see `ParleyClient.upload`. */
export async function uploadFile(
  { url, credentials }: Connection,
  file: Blob | Uint8Array,
  { name, type = '', importId, signal, resumeAt, onPlace, onProgress }: UploadOptions,
): Promise<Uploaded> {
  const { Upload } = await import('tus-js-client')
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const options: TusOptions = {
      endpoint: `${url}/api/v1/tus/`,
      headers: credentials('POST'),
      metadata: {
        filename: name,
        filetype: type,
        ...(importId === undefined ? {} : { import_id: String(importId) }),
      },
      chunkSize: PIECE_BYTES,
      retryDelays: RETRY_MS,
      storeFingerprintForResuming: false,
      ...('XMLHttpRequest' in globalThis ? {} : { fileReader: PIECE_READER }),
      ...(resumeAt === undefined ? {} : { uploadUrl: resumeAt }),
      onUploadUrlAvailable: () => onPlace?.(upload.url as string),
      onChunkComplete: (_, bytesStored, bytesTotal) => {
        onProgress?.({ bytesStored, bytesTotal: bytesTotal ?? bytesStored })
      },
      onError: (error) => reject(errorOf(error)),
      onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody()) as Uploaded),
    }
    const upload = new Upload(file as Blob, options)
    signal?.addEventListener('abort', () => {
      upload.abort().catch(() => undefined) // The current request ends with it.
      reject(signal.reason as Error)
    })
    upload.start()
  })
}

/** The server's error, or a lost connection. */
function errorOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response) return new ConnectionError('the upload broke off', { cause: error })
  try {
    return new ApiError(response.getStatus(), JSON.parse(response.getBody()) as Record<string, unknown>)
  } catch {
    return new ApiError(response.getStatus(), { msg: response.getBody() })
  }
}
