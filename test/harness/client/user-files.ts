/** Uploads of users, and how they download them. */

import { request } from 'node:http'
import type { Answer, Client } from './client.ts'
import { checkFailure, checkReply, matchOperation } from './check-reply.ts'
import type { Refusal, ReplyAt } from './wire-types.ts'

/** Uploads a named file as a part of a body, like the clients of the API family. */
export async function postFile(
  client: Client,
  content: string | Uint8Array,
  name = 'notes.txt',
): Promise<Answer<ReplyAt<'POST', '/user_uploads'>>> {
  const body = new FormData()
  body.append(`/home/me/${name}`, new Blob([content as BlobPart], { type: 'text/html' }), name)
  const response = await fetch(`${client.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: client.key === '' ? {} : { authorization: client.authorization },
    body,
  })
  const answer = (await response.json()) as ReplyAt<'POST', '/user_uploads'> & Refusal
  const operation = matchOperation('POST', '/user_uploads')
  if (operation && response.status === 200) checkReply(operation, answer)
  if (response.status !== 200) checkFailure(response.status, answer)
  return { status: response.status, body: answer, headers: response.headers }
}

/** An upload for its client. */
export interface UploadedFile {
  /** `/user_uploads/…`. */
  readonly url: string
  readonly filename: string
}

/** Uploads a named file; must succeed. */
export async function uploadFile(
  client: Client,
  name: string | undefined,
  content: string | Uint8Array,
): Promise<UploadedFile> {
  const { status, body } = await postFile(client, content, name)
  if (status !== 200) throw new Error(`the upload was answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Uploads a file and returns its address; must succeed. */
export async function mustPostFile(
  client: Client,
  content: string | Uint8Array,
  name?: string,
): Promise<string> {
  return (await uploadFile(client, name, content)).url
}

/** The address of the thumbnail of an upload. */
export function thumbnailOf(url: string, format = '840x560.webp'): string {
  return `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
}

/** A downloaded file. */
export interface GotFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/**
 * Downloads an address below the server's own with the credentials of a client; the address is sent
 * unchanged.
 */
export function getFile(
  client: Client,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<GotFile> {
  const { hostname, port } = new URL(client.url)
  const credentials = client.key === '' ? {} : { authorization: client.authorization }
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, method, path, headers: { ...credentials, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

/** Downloads an address from a message, escaped as browsers do. */
export function fetchFile(client: Client, path: string): Promise<GotFile> {
  return getFile(client, new URL(path, client.url).pathname)
}
