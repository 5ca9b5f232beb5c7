/** Brings the archive of an import to a server. */

import type { Client } from '../../harness/client/client.ts'
import { tus } from '../../harness/client/tus.ts'

/** The Upload-Metadata header of an archive. */
export function importMetadata(importId: number | string, name = 'slack.zip'): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return `filename ${encode(name)},import_id ${encode(String(importId))}`
}

/** Uploads an archive whole; answers the last reply. */
export async function bringArchive(client: Client, importId: number, archive: Uint8Array) {
  const { status, headers, body } = await tus(client, 'POST', '', {
    'upload-length': archive.length,
    'upload-metadata': importMetadata(importId),
  })
  if (status !== 201) throw new Error(`POST /tus answered ${status}: ${JSON.stringify(body)}`)
  const { pathname } = new URL(headers.get('location') as string)
  return tus(client, 'PATCH', pathname, { 'upload-offset': 0 }, archive)
}
