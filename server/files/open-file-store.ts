/** Opens the store of uploads that the operator's settings name. */

import { join } from 'node:path'
import type { StoreAddress } from '../domain/settings/store-address.ts'
import { DiskFileStore } from './disk-file-store.ts'
import type { FileStore } from './file-store.ts'
import { TwoFileStores } from './two-file-stores.ts'

/** The places for files. */
export interface FilePlaces {
  readonly dataFolder: string
  /** Undefined for the folder alone. */
  readonly objectStore: StoreAddress | undefined
  /** The place of new files. */
  readonly filesIn: 'store' | 'folder'
}

/** Both places; `store` is undefined without an object store. */
export async function openFilePlaces({
  dataFolder,
  objectStore,
}: Pick<FilePlaces, 'dataFolder' | 'objectStore'>): Promise<{
  readonly folder: FileStore
  readonly store: FileStore | undefined
}> {
  const folder = new DiskFileStore(join(dataFolder, 'uploads'))
  if (objectStore === undefined) return { folder, store: undefined }
  // Most servers have none, so its packages load here.
  const { S3FileStore } = await import('./s3/s3-file-store.ts')
  return { folder, store: new S3FileStore(objectStore) }
}

/** The store of a server. A file is read from wherever it is, so that files may move under way. */
export async function openFileStore(places: FilePlaces): Promise<FileStore> {
  const { folder, store } = await openFilePlaces(places)
  if (!store) return folder
  return places.filesIn === 'store' ? new TwoFileStores(store, folder) : new TwoFileStores(folder, store)
}
