/** Brings the files of messages over, each as an upload of its owner with an address of its own. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { findUploadById, giveUpArrival, noteArrival } from '../../../db/files/uploads.ts'
import { inspectUpload } from '../uploads/inspect-upload.ts'
import { answering } from '../../decisions/decision.ts'
import { detectContentType, SNIFFED_BYTES } from '../../domain/files/content-types.ts'
import { cleanFileName, type Upload, uploadPath } from '../../domain/files/uploads.ts'
import type { UploadId } from '../../domain/ids.ts'
import { createFileKey } from '../../files/file-key.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Loading } from './loading.ts'
import type { ForeignUpload } from './records.ts'
import { EntryError } from './archive.ts'

/** Stores the files that no earlier run has stored; returns the paths here by those there. */
export async function loadFiles(loading: Loading): Promise<ReadonlyMap<string, string>> {
  const { source, report } = loading
  const paths = new Map<string, string>()
  if (!source.uploads || !loading.filing) return paths
  for await (const file of source.uploads()) {
    const key = importKey(source.origin, 'file', file.path)
    const there = await findStored(loading, key)
    if (there === 'deleted') continue
    try {
      const upload = there ?? (await storeFile(loading, file, key))
      paths.set(file.path, upload.path)
      if (!there) report.files.imported++
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      report.lose({
        place: undefined,
        reason: 'a file that is damaged',
        example: `${file.path}: ${error.message}`,
      })
    }
  }
  return paths
}

/** The upload of an earlier run. A file that was deleted here since stays deleted. */
export async function findStored(
  { target }: Loading,
  key: ImportKey,
): Promise<Upload | 'deleted' | undefined> {
  const known = (await findImported(target.sql, [key])).get(key)
  if (known === undefined) return undefined
  return (await findUploadById(target.sql, known as UploadId)) ?? 'deleted'
}

/** Stores a file; rejects with an `EntryError` if it is damaged. */
export async function storeFile(
  { target, people, filing }: Loading,
  file: ForeignUpload,
  importedAs: ImportKey,
): Promise<Upload> {
  if (!filing) throw new Error('files need a store')
  const { fileStore } = filing
  const ownerId = people.find(file.owner) ?? target.owner.id
  const key = createFileKey()
  const name = cleanFileName(file.name)
  const path = uploadPath(key, name)
  // First, so that bytes without an end are found and removed.
  const id = await noteArrival(target.sql, { ownerId, path, name })
  const size = await fileStore.write(key, file.open(), file.size).catch(async (error: unknown) => {
    await giveUpArrival(target.sql, path)
    throw error
  })
  const contentType = detectContentType(size === 0 ? new Uint8Array() : await readHead(fileStore, key))
  const onError = () => undefined // A picture without a preview is a file.
  const inspected = await inspectUpload({ ...filing, onError }, { key, contentType, userId: ownerId })
  return target.change(
    ({ state, now }) => {
      // As if it came now: an old file without a message is removed, and its messages are still to come.
      const upload = { id, ownerId, path, name, contentType, size, createdAt: now, ...inspected }
      return answering(upload, [{ type: 'attachment/add', upload, spaceUsed: state.uploadSpaceUsed + size }])
    },
    () => [[importedAs, id]],
  )
}

async function readHead(fileStore: FileStore, key: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await fileStore.open(key, 0, SNIFFED_BYTES - 1)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
