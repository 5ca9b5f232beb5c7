/** Writes a file to the store as it arrives, so that nothing is lost or left behind if the server dies. */

import { deleteFileRecord, giveUpArrival, noteArrival } from '../../../db/files/uploads.ts'
import type { User } from '../../domain/entities.ts'
import { cleanFileName, uploadPath } from '../../domain/files/uploads.ts'
import { createFileKey } from '../../files/file-key.ts'
import { type ArrivedFile, BYTES_PER_MIB, type Filing } from './uploads.ts'

/** Services for receiving files. */
export type Receiving = Pick<Filing, 'sql' | 'fileStore' | 'uploads' | 'onError'>

/**
 * Stores the chunks under a new key. Rejects with the error of the chunks, or with a `FileTooLargeError`; then nothing
 * is stored.
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
  // The row comes first: a job uses it to find the bytes of a dead process.
  await noteArrival(sql, { ownerId: user.id, path: uploadPath(key, name), name })
  try {
    return { key, name, size: await fileStore.write(key, chunks, uploads.mibMax * BYTES_PER_MIB) }
  } catch (error) {
    await discardArrival(services, { key, name })
    throw error
  }
}

/** Removes a file that nobody knows. Never rejects: a job removes it later if this fails. */
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
