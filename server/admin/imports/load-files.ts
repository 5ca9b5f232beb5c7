/** Brings the files of messages over, each as an upload of its owner with an address of its own. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { findUploadById, noteArrival } from '../../../db/files/uploads.ts'
import { inspectUpload } from '../../changes/uploads/inspect-upload.ts'
import { answering } from '../../decisions/decision.ts'
import { detectContentType, SNIFFED_BYTES } from '../../domain/files/content-types.ts'
import { cleanFileName, type Upload, uploadPath } from '../../domain/files/uploads.ts'
import type { UploadId } from '../../domain/ids.ts'
import { createFileKey } from '../../files/file-key.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Imager } from '../../../workers/pool/imager.ts'
import type { Loading } from './load-channels.ts'
import type { ForeignUpload } from './records.ts'
import { EntryError } from './zip-archive.ts'

/** The parts that files need. */
export interface ImportFiling {
  readonly fileStore: FileStore
  readonly imager: Imager
}

/** Stores the files that no earlier run has stored; returns the paths here by those there. */
export async function loadFiles(loading: Loading): Promise<ReadonlyMap<string, string>> {
  const { source, target, report, filing } = loading
  const paths = new Map<string, string>()
  if (!source.uploads || !filing) return paths
  for await (const file of source.uploads()) {
    const key = importKey(source.origin, 'file', file.path)
    const known = (await findImported(target.sql, [key])).get(key)
    const there = known === undefined ? undefined : await findUploadById(target.sql, known as UploadId)
    // A file that was deleted here since stays deleted.
    if (known !== undefined && !there) continue
    try {
      const upload = there ?? (await storeFile(loading, filing, file, key))
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

async function storeFile(
  { target, people }: Loading,
  filing: ImportFiling,
  file: ForeignUpload,
  importedAs: string,
): Promise<Upload> {
  const { fileStore } = filing
  const ownerId = people.find(file.owner) ?? target.owner.id
  const key = createFileKey()
  const name = cleanFileName(file.name)
  const path = uploadPath(key, name)
  // First, so that bytes without an end are found and removed.
  const id = await noteArrival(target.sql, { ownerId, path, name })
  const size = await fileStore.write(key, file.open(), file.size)
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
