/** Requests of the resumable protocol, header by header. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from './client.ts'
import type { TestContext } from '../databases/create-database.ts'
import type { Refusal, ReplyAt } from './wire-types.ts'

/** An answer; JSON bodies are decoded. */
export interface TusReply {
  readonly status: number
  readonly headers: Headers
  readonly body: string & Refusal & ReplyAt<'POST', '/user_uploads'>
}

type GivenHeaders = Readonly<Record<string, string | number | undefined>>

/** One request of a client; headers that are undefined are omitted. */
// oxlint-disable-next-line max-params -- The parts of any request, in the order in which they are sent.
export async function tus(
  client: Pick<Client, 'url' | 'key' | 'authorization'>,
  method: string,
  path: string,
  headers: GivenHeaders = {},
  body?: Uint8Array,
): Promise<TusReply> {
  const given: GivenHeaders = {
    'tus-resumable': '1.0.0',
    ...(client.key === '' ? {} : { authorization: client.authorization }),
    ...(method === 'PATCH' ? { 'content-type': 'application/offset+octet-stream' } : {}),
    ...headers,
  }
  const response = await fetch(
    /^(?:\/api\/|http:)/.test(path) ? new URL(path, client.url) : `${client.url}/api/v1/tus${path}`,
    {
      method,
      headers: Object.entries(given).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
      ...(body ? { body: new Uint8Array(body) } : {}),
    },
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  }
}

/** Creates an upload; returns its path. */
export async function beginUpload(
  client: Pick<Client, 'url' | 'key' | 'authorization'>,
  length: number,
  name = 'file.txt',
): Promise<string> {
  const { status, headers, body } = await tus(client, 'POST', '', {
    'upload-length': length,
    'upload-metadata': nameMetadata(name),
  })
  if (status !== 201) throw new Error(`POST /tus answered ${status}: ${JSON.stringify(body)}`)
  return new URL(headers.get('location') as string).pathname
}

/** The Upload-Metadata header for a file name. */
export function nameMetadata(name: string, type = 'text/plain'): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return `filename ${encode(name)},filetype ${encode(type)}`
}

/** A folder of its own, deleted with the test. */
export async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}
