/** Brings the files of messages over, each as an upload of its sender. */

import { importKey } from '../../../db/imports/imported-ids.ts'
import { findStored, storeFile } from './load-files.ts'
import { openBytes } from './foreign-bytes.ts'
import type { Loading } from './loading.ts'
import type { ForeignFile, ForeignMessage } from './records.ts'
import { EntryError } from './archive.ts'

/** The files of a message: those whose bytes can be had are uploads then. */
export async function bringFiles(
  loading: Loading,
  message: ForeignMessage,
  label: string,
): Promise<readonly ForeignFile[]> {
  const { files } = message
  if (!loading.filing || files.every(({ path, address }) => path === undefined && address === undefined))
    return files
  const brought: ForeignFile[] = []
  for (const file of files) {
    try {
      brought.push(await bringFile(loading, file, message.sender))
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      loading.report.lose({ place: label, reason: 'a file', example: `${file.name}: ${error.message}` })
      brought.push(file)
    }
  }
  return brought
}

async function bringFile(loading: Loading, file: ForeignFile, owner: string): Promise<ForeignFile> {
  const { source, report } = loading
  // Of each sender its own: who deletes a file deletes it from their own messages.
  const name = file.path ?? file.url ?? file.name
  const key = importKey(source.origin, 'file', name, owner)
  const stored = await findStored(loading, key)
  if (stored === 'deleted') return file
  if (stored) return { ...file, here: stored.path }
  const entry = await openBytes(loading, file, file.name)
  if (!entry) return file
  const upload = await storeFile(
    loading,
    { path: name, name: file.name, owner, size: entry.size, open: () => entry.read() },
    key,
  )
  report.files.imported++
  return { ...file, here: upload.path }
}
