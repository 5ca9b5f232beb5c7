/** Brings a file to the store as it comes, so that nothing of it is lost or left behind, whenever the server dies. */

import { deleteFileRecord, giveUpArrival, noteArrival } from '../../../db/uploads.ts'
import type { User } from '../../domain/entities.ts'
import { cleanFileName, uploadPath } from '../../domain/uploads.ts'
import { createFileKey } from '../../files/file-key.ts'
import { type ArrivedFile, BYTES_PER_MIB, type Filing } from './uploads.ts'

/** What files are received with. */
export type Receiving = Pick<Filing, 'sql' | 'fileStore' | 'uploads' | 'onError'>

/**
 * Keeps what comes, under a fresh key. Rejects with what the chunks reject with, or with a `FileTooLargeError`; then
 * nothing of it is kept.
 */
export async function receiveUpload(
  services: Receiving,
  user: User,
  givenName: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ArrivedFile> {
  const { sql, fileStore, uploads } = services
  const key = createFileKey()
  const name = cleanFileName(givenName)
  // Its row comes first: by that a job finds the bytes of a process that died.
  await noteArrival(sql, { ownerId: user.id, path: uploadPath(key, name), name })
  try {
    await fileStore.create(key)
    return { key, name, size: await fileStore.append(key, 0, chunks, uploads.mibMax * BYTES_PER_MIB) }
  } catch (error) {
    await discardArrival(services, { key, name })
    throw error
  }
}

/** Removes a file that nobody was told of. Never rejects: what fails here a job does later. */
export async function discardArrival(
  { sql, fileStore, onError }: Receiving,
  { key, name }: Pick<ArrivedFile, 'key' | 'name'>,
): Promise<void> {
  try {
    if (!(await giveUpArrival(sql, uploadPath(key, cleanFileName(name))))) return
    await fileStore.remove(key)
    await deleteFileRecord(sql, key)
  } catch (error) {
    onError(error)
  }
}
