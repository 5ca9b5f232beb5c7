/** The unmodified JavaScript client of the resumable protocol. */

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'
import t from 'tap'
import { Upload, type UploadOptions } from 'tus-js-client'
import { connect as connectSql } from '../../db/connection/connect.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { Passwords } from '../../server/changes/passwords.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/open-file-store.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { Browser } from '../harness/browser/browser.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { separateSettings } from '../harness/servers/two-servers.ts'

const MIB = 1024 * 1024
/** Bytes of a file after which the rest waits for another process, however fast the first one is. */
const HELD_FROM = 16 * MIB
const databaseUrl = await createDatabase(t, 'people')
const settingsOf = await separateSettings(t, databaseUrl)
const start = async () => startWebProcess(t, { ...(await settingsOf()), RATE_LIMIT_USER_PER_MINUTE: '200' })
const store = await openFileStore(readConfig(await settingsOf()))
const { id, key } = ACCOUNTS.get('member') as { id: number; key: string }
const member = (url: string) => new Client(url, id, emailOf('member'), key)

/** Uploads a file; returns the result for its client. */
function upload(
  file: Buffer,
  url: string,
  options: Partial<UploadOptions>,
  onPlace: (url: string) => void = () => {},
) {
  return new Promise<{ url: string; filename: string }>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${url}/api/v1/tus/`,
      headers: { Authorization: member(url).authorization },
      metadata: { filename: 'Große Datei.bin', filetype: 'application/octet-stream' },
      retryDelays: [50, 100, 200, 400, ...Array<number>(100).fill(800)], // Until a process has started, on any machine.
      onError: reject,
      onUploadUrlAvailable: () => onPlace(upload.url as string),
      onSuccess: ({ lastResponse }) => {
        try {
          resolve(JSON.parse(lastResponse.getBody()))
        } catch (error) {
          reject(error as Error)
        }
      },
      ...options,
    })
    upload.start()
  })
}

/** The hash of an uploaded file, as its owner downloads it. */
async function fetchHash(url: string, path: string): Promise<string> {
  const { url: temporary } = await member(url).must('GET', encodeURI(path))
  const response = await fetch(url + temporary)
  if (response.status !== 200) throw new Error(`the file is answered by ${response.status}`)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

/** Forwards connections to the current server, and holds what a client sends above a limit; returns its address. */
async function startForwarder(
  t: TestContext,
  findPort: () => number,
  limit: { bytesMax: number },
): Promise<string> {
  const forwarder = createServer((socket) => {
    let passed = 0
    const held = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        passed += chunk.length
        if (passed <= limit.bytesMax) done(null, chunk)
      },
    })
    const target = connect(findPort(), '127.0.0.1')
    // Each end closes the other.
    socket.on('error', () => undefined).on('close', () => target.destroy())
    target.on('error', () => undefined).on('close', () => socket.destroy())
    socket.pipe(held).pipe(target).pipe(socket)
  })
  forwarder.listen(0, '127.0.0.1')
  await once(forwarder, 'listening')
  t.teardown(() => forwarder.close())
  return `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`
}

const hashOf = (file: Buffer) => createHash('sha256').update(file).digest('hex')

t.test('[TUS40] the client uploads in one piece, in chunks, and with the creation', async (t) => {
  const server = await start()
  const file = randomBytes(5 * MIB + 1)
  for (const options of [{}, { chunkSize: MIB }, { chunkSize: 2 * MIB, uploadDataDuringCreation: true }]) {
    const { url, filename } = await upload(file, server.url, options)
    t.equal(filename, 'Große Datei.bin')
    t.equal(await fetchHash(server.url, url), hashOf(file))
  }
  await server.stop()
})

t.test(
  '[TUS44] with the cookie alone it resumes, and the session holds when its process is killed',
  async (t) => {
    let server = await start()
    const limit = { bytesMax: HELD_FROM }
    const address = await startForwarder(t, () => Number(new URL(server.url).port), limit)
    const sql = connectSql(databaseUrl, 1, 'parley-test')
    t.teardown(() => sql.end())
    await storePasswordHash(sql, id as UserId, await new Passwords({ N: 2 ** 10 }).hash('correct horse'))
    const browser = new Browser(address)
    t.equal((await browser.logIn(emailOf('member'), 'correct horse')).status, 200)
    const headers = { Cookie: `sessionid=${browser.cookies.get('sessionid')}` }
    const file = randomBytes(24 * MIB)
    const place = Promise.withResolvers<string>()
    const uploaded = upload(file, address, { headers }, place.resolve)
    const key = (await place.promise).split('/').at(-1)?.replace('.', '/') as string
    while (!(await store.size(key))) await new Promise((resolve) => setImmediate(resolve))
    await server.kill()
    t.ok(((await store.size(key)) ?? 0) < file.length, 'killed amid the file')
    limit.bytesMax = Infinity
    server = await start()
    const { url } = await uploaded
    t.equal(await fetchHash(server.url, url), hashOf(file))
    const bare = await fetch(`${address}/api/v1/tus/`, { method: 'POST', headers })
    t.equal(bare.status, 403, 'a form of another site cannot send the header of the protocol')
    const foreign = { ...headers, 'Tus-Resumable': '1.0.0', Origin: 'https://evil.example' }
    t.equal((await fetch(`${address}/api/v1/tus/`, { method: 'POST', headers: foreign })).status, 403)
    await browser.call('POST', '/json/logout')
    const out = await fetch(`${address}/api/v1/tus/`, {
      method: 'POST',
      headers: { ...headers, 'Tus-Resumable': '1.0.0' },
    })
    t.equal(out.status, 401)
    await server.stop()
  },
)

t.test('[TUS41] the client resumes when the server is killed during a chunk and started again', async (t) => {
  const file = randomBytes(48 * MIB)
  let server = await start()
  // Clients use one address, while processes change behind it.
  const limit = { bytesMax: HELD_FROM }
  const address = await startForwarder(t, () => Number(new URL(server.url).port), limit)
  const place = Promise.withResolvers<string>()
  const uploaded = upload(file, address, {}, place.resolve)
  const key = (await place.promise).split('/').at(-1)?.replace('.', '/') as string
  while (!(await store.size(key))) await new Promise((resolve) => setImmediate(resolve))
  await server.kill()
  t.ok(((await store.size(key)) ?? 0) < file.length, 'killed amid the file')
  limit.bytesMax = Infinity
  server = await start()
  const { url } = await uploaded
  t.equal(await fetchHash(server.url, url), hashOf(file))
})

t.test('[TUS42] the client resumes at another process when the first is killed', async (t) => {
  const file = randomBytes(24 * MIB)
  const [first, second] = [await start(), await start()]
  let killed: Promise<void> | undefined
  let place = ''
  const client = new Promise<void>((resolve) => {
    const started = new Upload(file, {
      endpoint: `${first.url}/api/v1/tus/`,
      headers: { Authorization: member(first.url).authorization },
      chunkSize: 8 * MIB,
      retryDelays: null,
      // The second piece is sent in part, the third not at all, so the rest cannot arrive before the process
      // dies.
      onProgress(sent) {
        if (sent > 8 * MIB) killed ??= first.kill()
      },
      onError: () => {
        place = new URL(started.url as string).pathname
        resolve()
      },
      onSuccess: () => resolve(),
    })
    started.start()
  })
  await client
  await killed
  const { url } = await upload(file, second.url, { uploadUrl: second.url + place, chunkSize: 8 * MIB })
  t.equal(await fetchHash(second.url, url), hashOf(file))
})

t.test('[TUS43] the client deletes an upload', async (t) => {
  const server = await start()
  const started = new Upload(randomBytes(2 * MIB), {
    endpoint: `${server.url}/api/v1/tus/`,
    headers: { Authorization: member(server.url).authorization },
    chunkSize: MIB,
    retryDelays: null,
    onChunkComplete: () => void started.abort(true).then(onEnded),
  })
  let onEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    onEnded = resolve
  })
  started.start()
  await ended
  const response = await fetch(started.url as string, {
    method: 'HEAD',
    headers: { authorization: member(server.url).authorization, 'tus-resumable': '1.0.0' },
  })
  t.equal(response.status, 404)
})
