/** The addresses of resumable uploads. */

import { isFileKey } from './file-key.ts'

/** The base path; each upload is below it. */
export const TUS_BASE = '/api/v1/tus'

/** The address of an upload, with the key of its bytes as one segment. */
export function tusAddress(key: string): string {
  return `${TUS_BASE}/${key.replace('/', '.')}`
}

/** The upload that a path names: by its key, or none for the collection; undefined for other paths. */
export function readTusPath(path: string): { readonly key: string | undefined } | undefined {
  const id = path.slice(TUS_BASE.length + 1)
  if (id === '') return { key: undefined }
  const key = id.replace('.', '/')
  return !id.includes('/') && isFileKey(key) ? { key } : undefined
}
