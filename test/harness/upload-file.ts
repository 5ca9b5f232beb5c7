/** Uploads with names of their own, and what their addresses answer. */

import type { Client } from './client.ts'

/** An upload as its client knows it. */
export interface UploadedFile {
  /** `/user_uploads/…`. */
  readonly url: string
  readonly filename: string
}

/** Uploads a file under a name; it must succeed. */
export async function uploadFile(client: Client, name: string, bytes: Uint8Array): Promise<UploadedFile> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${client.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: client.authorization },
    body,
  })
  const answer = (await response.json()) as { url: string; filename: string }
  if (response.status !== 200) throw new Error(`the upload was answered ${JSON.stringify(answer)}`)
  return answer
}

/** What a client gets at a path of the server. */
export async function fetchFile(
  client: Client,
  path: string,
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(client.url + path, { headers: { authorization: client.authorization } })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** The thumbnail of an upload. */
export function thumbnailOf(url: string, format = '840x560.webp'): string {
  return `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
}
