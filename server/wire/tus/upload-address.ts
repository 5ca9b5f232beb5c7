/** The addresses of resumable uploads. */

import { isFileKey } from '../../files/file-key.ts'
import { API_BASE } from '../http.ts'

/** The base path; each upload is below it. */
export const TUS_BASE = `${API_BASE}/tus`

/** The address of an upload, with the key of its bytes as one segment. */
export function uploadAddress(key: string): string {
  return `${TUS_BASE}/${key.replace('/', '.')}`
}

/** The upload that a path names: by its key, or none for the collection; undefined for other paths. */
export function readUploadPath(path: string): { readonly key: string | undefined } | undefined {
  const id = path.slice(TUS_BASE.length + 1)
  if (id === '') return { key: undefined }
  const key = id.replace('.', '/')
  return !id.includes('/') && isFileKey(key) ? { key } : undefined
}
