/** W8: the upload of a large file by the resumable protocol. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { BodyToFile } from '../limits/body-to-file.ts'
import type { Sending, UploadLoad } from '../load/upload-load.ts'
import { boundSize, compareRates } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import { readRss } from '../measure/read-memory.ts'
import type { Work } from '../measure/work.ts'
import { createPeople } from '../start/create-people.ts'
import { type ParleyProcess, startParley } from '../start/start-parley.ts'
import { type Remote, startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const MIB = 2 ** 20
/** Of each turn: five rounds of the whole file would write 12 GiB. */
const TURN_BYTES = sized(256 * MIB, 16 * MIB)
/** The size of the upload during which the server is killed. */
const WHOLE_BYTES = sized(1024 * MIB, 64 * MIB)
/** The offset at which it is killed: within a request. */
const KILLED_AT_BYTES = sized(504 * MIB, 24 * MIB)
const PART_BYTES = 3 * MIB
/** Milliseconds after which a process has finished its deferred start-up work. */
const SETTLE_MS = sized(1_500, 100)
/** Reads that fill the collector's space for new objects: all work does this, so it does not count for uploads. */
const READS = sized(10_000, 200)
const READS_IN_FLIGHT = 32
/** The interval of memory samples. */
const LOOK_MS = 20

export const uploads: Work = {
  name: 'W8',
  title: 'tus upload in PATCHes of 8 MiB; 1 GiB, once killed and resumed',
  limit: 'the same bodies from bare uWebSockets.js to a file, with fdatasync',
  async run({ createDatabase, rounds, say }) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
    const databaseUrl = await createDatabase()
    const [person] = await createPeople(databaseUrl, 1)
    if (!person) throw new Error('there are no users')
    const { authorization } = person
    const load = startRemote<UploadLoad>(join(import.meta.dirname, '../load/upload-load.ts'))
    const place = { folder, authorization, load }
    const start = () => startSettled(databaseUrl, place)
    let parley = await start()
    const watch = new MemoryWatch(parley)
    try {
      const found = await measureTurns(place, parley, rounds)
      say(`memory of the server grew by ${watch.grownMib.toFixed(1)} MiB`)
      const resumed = await resume(place, parley, async () => {
        parley = await start()
        watch.follow(parley)
        return parley
      })
      watch.stop()
      return [
        compareRates('256 MiB', found, { unit: 'MiB/s', min: 0.7 }),
        boundSize(
          'memory of the server, grown',
          watch.grownMib,
          { unit: 'MiB', max: 32 },
          { ...resumed, grownByReadsBefore: watch.readsMib, grownSinceStart: watch.sinceStartMib },
        ),
      ]
    } finally {
      watch.stop()
      await Promise.all([load.close(), parley.close()])
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The folder of uploads, and their sender. */
interface Place {
  readonly folder: string
  readonly authorization: string
  readonly load: Remote<UploadLoad>
}

/** A server that has done the work of its start, and ordinary reads. */
async function startSettled(databaseUrl: string, { folder, authorization }: Place): Promise<Settled> {
  const started = await startParley(databaseUrl, {
    env: { DATA_DIR: folder, MAX_FILE_UPLOAD_SIZE: '1024' },
  })
  await wait(SETTLE_MS)
  const settledBytes = readRss(started.pid)
  await askMuch(started, authorization)
  return { ...started, settledBytes }
}

/** Uploads of the size of a turn, to the server and to the limit, in MiB a second. */
async function measureTurns({ folder, authorization, load }: Place, parley: Settled, rounds: number) {
  const limit = startRemote<BodyToFile>(join(import.meta.dirname, '../limits/body-to-file.ts'))
  try {
    const port = await limit.call('start', { folder })
    const turnHash = await load.call('hash', { bytes: TURN_BYTES })
    const raw = { port, method: 'PUT', path: '/', headers: '', fromBytes: 0, toBytes: TURN_BYTES } as const
    return await interleave(
      rounds,
      async () => {
        const sending = await begin(parley, authorization, TURN_BYTES)
        const { ms, body } = await load.call('send', sending)
        await checkFile(fileOf(folder, body), turnHash)
        return TURN_BYTES / MIB / (ms / 1000)
      },
      async () => {
        const file = await limit.call('begin')
        const { ms } = await load.call('send', raw)
        await limit.call('close')
        await checkFile(file, turnHash)
        return TURN_BYTES / MIB / (ms / 1000)
      },
    )
  } finally {
    await limit.close()
  }
}

/** Uploads a whole file, kills the server within a request, and goes on with the next server. */
async function resume(
  { folder, authorization, load }: Place,
  parley: Settled,
  startAgain: () => Promise<Settled>,
) {
  const sending = await begin(parley, authorization, WHOLE_BYTES)
  const firstMs = (await load.call('send', { ...sending, toBytes: KILLED_AT_BYTES })).ms
  await load.call('sendPart', { ...sending, fromBytes: KILLED_AT_BYTES }, PART_BYTES)
  // Part of the sent bytes is written and survives the process.
  const [first = '', random = ''] = (sending.path.split('/').at(-1) ?? '').split('.')
  const file = join(folder, 'uploads', first, random, 'original')
  while ((await stat(file)).size <= KILLED_AT_BYTES) await wait(1)
  process.kill(parley.pid, 'SIGKILL')
  const next = await startAgain()
  const offset = await askOffset(next, sending.path, authorization)
  if (offset < KILLED_AT_BYTES) throw new Error(`of ${KILLED_AT_BYTES} answered bytes ${offset} are there`)
  const rest = await load.call('send', { ...sending, port: next.port, fromBytes: offset })
  await checkFile(fileOf(folder, rest.body), await load.call('hash', { bytes: WHOLE_BYTES }))
  const seconds = (firstMs + rest.ms) / 1000
  return {
    wholeMiBPerSecond: (WHOLE_BYTES - (offset - KILLED_AT_BYTES)) / MIB / seconds,
    killedAtBytes: KILLED_AT_BYTES + PART_BYTES,
    resumedAtBytes: offset,
  }
}

/** Ordinary reads of a server that is otherwise idle. */
async function askMuch({ port }: ParleyProcess, authorization: string): Promise<void> {
  let left = READS
  const ask = async () => {
    while (left-- > 0) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/users/me/subscriptions`, {
        headers: { authorization },
      })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`a read was answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: READS_IN_FLIGHT }, ask))
}

/** Begins an upload; returns its sender. */
async function begin({ port }: ParleyProcess, authorization: string, bytes: number): Promise<Sending> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tus`, {
    method: 'POST',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes),
      'upload-metadata': `filename ${Buffer.from('bench.bin').toString('base64')}`,
    },
  })
  const place = response.headers.get('location')
  if (response.status !== 201 || place === null) throw new Error(`POST /tus answered ${response.status}`)
  const headers = [
    `Authorization: ${authorization}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    'Upload-Offset: {offset}',
  ]
  return {
    port,
    method: 'PATCH',
    path: new URL(place).pathname,
    headers: headers.map((line) => `${line}\r\n`).join(''),
    fromBytes: 0,
    toBytes: bytes,
  }
}

async function askOffset({ port }: ParleyProcess, path: string, authorization: string): Promise<number> {
  const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { authorization, 'tus-resumable': '1.0.0' },
  })
  if (status !== 200) throw new Error(`HEAD answered ${status}`)
  return Number(headers.get('upload-offset'))
}

/** The file of the last answer: its address contains the key. */
function fileOf(folder: string, answer: string): string {
  const { url } = JSON.parse(answer) as { url: string }
  const [, , , first = '', random = ''] = url.split('/')
  return join(folder, 'uploads', first, random, 'original')
}

/** Compares a file with the sent bytes, and removes it. */
async function checkFile(file: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: MIB }), hash)
  if (hash.digest('hex') !== sha256) throw new Error(`${file} is not what was sent`)
  await rm(file)
}

/** A server, and its memory after its start. */
interface Settled extends ParleyProcess {
  readonly settledBytes: number
}

/**
 * The growth of a server's memory from the first sample, when it is in use. The growth since its start is reported
 * separately.
 */
class MemoryWatch {
  #pid = 0
  #settledBytes = 0
  #startBytes = 0
  #grownBytes = 0
  #sinceStartBytes = 0
  readonly #timer: NodeJS.Timeout
  readonly readsMib: number

  constructor(parley: Settled) {
    this.follow(parley)
    this.readsMib = (this.#startBytes - this.#settledBytes) / MIB
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  /** Samples another process from now on. */
  follow({ pid, settledBytes }: Settled): void {
    this.#pid = pid
    this.#settledBytes = settledBytes
    this.#startBytes = readRss(pid)
  }

  get grownMib(): number {
    return this.#grownBytes / MIB
  }

  get sinceStartMib(): number {
    return this.#sinceStartBytes / MIB
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    try {
      const bytes = readRss(this.#pid)
      this.#grownBytes = Math.max(this.#grownBytes, bytes - this.#startBytes)
      this.#sinceStartBytes = Math.max(this.#sinceStartBytes, bytes - this.#settledBytes)
    } catch {
      // Between its end and the next one's start.
    }
  }
}
