/** Where uploads of the resumable protocol are. */

import { isFileKey } from '../../files/file-key.ts'
import { API_BASE } from '../http.ts'

/** Where they begin; each is below. */
export const TUS_BASE = `${API_BASE}/tus`

/** The address of an upload: the key of its bytes in one piece. */
export function uploadAddress(key: string): string {
  return `${TUS_BASE}/${key.replace('/', '.')}`
}

/** What a path names: an upload by its key, all of them by nothing; undefined where there is nothing. */
export function readUploadPath(path: string): { readonly key: string | undefined } | undefined {
  const id = path.slice(TUS_BASE.length + 1)
  if (id === '') return { key: undefined }
  const key = id.replace('.', '/')
  return !id.includes('/') && isFileKey(key) ? { key } : undefined
}
