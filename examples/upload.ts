/**
 * Uploads a file by tus and posts its link. If it is stopped, the next run goes on where the server has stored it.
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=bot@example.com PARLEY_KEY=… node upload.ts FILE CHANNEL TOPIC
 */

import { openAsBlob, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
} = process.env
const [file, channel, topic] = process.argv.slice(2)
if (file === undefined || channel === undefined || topic === undefined)
  throw new Error('usage: upload.ts FILE CHANNEL TOPIC')
const client = new ParleyClient({ url, email, key })

/** The place of an unfinished upload, beside its file. */
const placeFile = `${file}.upload`
const place = await readFile(placeFile, 'utf8').catch(() => undefined)
const { url: path, filename } = await client.upload(await openAsBlob(file), {
  name: basename(file),
  ...(place === undefined ? {} : { resumeAt: place }),
  onPlace: (found) => writeFileSync(placeFile, found),
  onProgress: ({ bytesStored, bytesTotal }) => console.log(`${bytesStored} of ${bytesTotal} bytes`),
})
await rm(placeFile, { force: true })
await client.call('POST /messages', { type: 'stream', to: channel, topic, content: `[${filename}](${path})` })
console.log(`posted ${filename}`)
