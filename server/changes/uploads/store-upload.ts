/** Makes a stored file an upload, and notifies its owner. */

import { findUpload, noteArrival } from '../../../db/files/uploads.ts'
import { decideUpload } from '../../decisions/uploads/store-upload.ts'
import { detectContentType, SNIFFED_BYTES } from '../../domain/files/content-types.ts'
import type { User } from '../../domain/entities.ts'
import { cleanFileName, uploadPath, uploadUrl } from '../../domain/files/uploads.ts'
import { ApiError } from '../../errors/api-error.ts'
import { submit } from '../submit.ts'
import { inspectUpload } from './inspect-upload.ts'
import { discardArrival } from './receive-upload.ts'
import { type ArrivedFile, BYTES_PER_MIB, type Filing } from './uploads.ts'

/** The answer for the client that uploads. */
export interface StoredUpload {
  readonly url: string
  /** As links have it. */
  readonly filename: string
}

/**
 * Makes a stored file an upload of a user. A second call with the same file answers the same upload. Throws the
 * failures of `STORE_UPLOAD_ERRORS`; then the file is removed.
 */
export async function finishUpload(services: Filing, user: User, file: ArrivedFile): Promise<StoredUpload> {
  const { sql, uploads } = services
  const name = cleanFileName(file.name)
  const path = uploadPath(file.key, name)
  const stored = { url: uploadUrl(path), filename: name }
  if (await findUpload(sql, path)) return stored
  const contentType = detectContentType(await readHead(services, file))
  const inspected = await inspectUpload(services, {
    key: file.key,
    contentType,
    userId: user.id,
  })
  const id = await noteArrival(sql, { ownerId: user.id, path, name })
  try {
    await submit(services, user.id, decideUpload, {
      file: { id, path, name, contentType, size: file.size, ...inspected },
      quotaBytes: (uploads.quotaMib ?? Number.POSITIVE_INFINITY) * BYTES_PER_MIB,
    })
    return stored
  } catch (error) {
    // After another failure the commit is uncertain: a job checks later.
    if (error instanceof ApiError) await discardArrival(services, { key: file.key, name })
    throw error
  }
}

async function readHead({ fileStore }: Filing, { key, size }: ArrivedFile): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array()
  const chunks: Uint8Array[] = []
  for await (const chunk of await fileStore.open(key, 0, SNIFFED_BYTES - 1)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
