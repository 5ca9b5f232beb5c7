/** Signed requests to an object store, each bounded in time and tries. */

import { createHash } from 'node:crypto'
import { Agent, type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import aws4 from 'aws4'
import { bucketOrigin, type StoreAddress } from '../../domain/settings/store-address.ts'
import { FileMissingError, FilesAwayError, FilesUnavailableError, FileTooLargeError } from '../file-store.ts'
import { readFailureCode } from './read-answers.ts'

/** Milliseconds until the store begins to answer: a router in front of this server waits for 30 s. */
const ANSWER_MS_MAX = 10_000
/** The same for a part of a file, which must first be sent: 5 MiB at 350 kB/s. */
const PART_ANSWER_MS_MAX = 15_000
/** The same for joining parts, which takes long for very large files. */
const JOIN_ANSWER_MS_MAX = 60_000
/** Milliseconds between two pieces of an answer. */
const SILENCE_MS_MAX = 10_000
/** Milliseconds after the start of a call in which another try may begin. */
const RETRY_MS_MAX = 5_000
const TRIES_MAX = 4
/** Milliseconds before the second try; each further one waits twice as long. */
const FIRST_WAIT_MS = 50
/** Bytes of an answer that is not a file: a page of a listing has about 400 kB. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Idle connections that stay open. */
const IDLE_CONNECTIONS_MAX = 16
/** Codes of refusals that pass. */
const PASSING_CODES: readonly string[] = ['RequestTimeout', 'SlowDown', 'ServiceUnavailable', 'InternalError']

/** A call of the store. */
export interface StoreCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** The name in the bucket; undefined for the bucket itself. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: readonly Uint8Array[]
  /** The SHA-256 of the body in hexadecimal digits; calculated if it is missing. */
  readonly sha256?: string
  readonly takes?: 'part' | 'join'
}

/** An answer that is read. */
export interface StoreAnswer {
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** The store refused a call. */
export class StoreRefusal extends FilesUnavailableError {
  readonly status: number
  /** Such as `NoSuchKey`; empty if the store gave none. */
  readonly code: string

  constructor(status: number, code: string, hint: string) {
    super(`the object store refuses: ${status}${code === '' ? '' : ` ${code}`}${hint}`)
    this.status = status
    this.code = code
  }
}

/** Calls one bucket. */
export class StoreRequests {
  readonly #address: StoreAddress
  readonly #url: URL
  readonly #agent: Agent
  readonly #isSecure: boolean
  readonly #answerMsMax: number

  constructor(address: StoreAddress, answerMsMax = ANSWER_MS_MAX) {
    this.#address = address
    this.#answerMsMax = answerMsMax
    const url = new URL(bucketOrigin(address))
    this.#isSecure = url.protocol === 'https:'
    if (address.isPathStyle) url.pathname = `/${address.bucket}`
    this.#url = url
    const options = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS_MAX }
    this.#agent = this.#isSecure ? new SecureAgent(options) : new Agent(options)
  }

  /** Calls and reads the answer; rejects with a `StoreRefusal` or another `FilesUnavailableError`. */
  async send(call: StoreCall): Promise<StoreAnswer> {
    return this.#try(call, async (response) => {
      const text = await readText(response)
      // Joining begins its answer before it knows whether it succeeds.
      const code = readFailureCode(text)
      if (code !== '') throw new StoreRefusal(response.statusCode ?? 0, code, '')
      return { headers: response.headers, text }
    })
  }

  /** Calls and gives the answer as it comes; rejects like `send`. */
  async open(call: StoreCall): Promise<IncomingMessage> {
    return this.#try(call, async (response) => response)
  }

  /** All bytes of an object; rejects with a `FileTooLargeError` if there are more than `bytesMax`. */
  async read(name: string, bytesMax = Number.POSITIVE_INFINITY): Promise<Buffer> {
    return this.#try({ method: 'GET', name }, (response) => {
      if (Number(response.headers['content-length']) <= bytesMax) return readBytes(response, bytesMax)
      response.destroy()
      throw new FileTooLargeError(`the file has more than ${bytesMax} bytes`)
    })
  }

  /** An address at which anyone gets an object for some seconds, with these headers. */
  sign(name: string, seconds: number, query: Readonly<Record<string, string>>): string {
    const all = { ...query, 'X-Amz-Expires': String(seconds) }
    const { path } = this.#sign({ method: 'GET', path: this.#pathOf(name, all), signQuery: true })
    return `${this.#url.origin}${path}`
  }

  async #try<Result>(call: StoreCall, use: (response: IncomingMessage) => Promise<Result>): Promise<Result> {
    const startedMs = performance.now()
    for (let tries = 1; ; tries++) {
      try {
        const response = await this.#exchange(call)
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) return await use(response)
        throw await toRefusal(response)
      } catch (error) {
        const isLast = tries === TRIES_MAX || performance.now() - startedMs > RETRY_MS_MAX
        if (isLast || !isPassing(error)) throw explain(error)
      }
      await wait(FIRST_WAIT_MS * 2 ** (tries - 1))
    }
  }

  #exchange({ method, name, query = {}, headers = {}, body = [], sha256, takes }: StoreCall) {
    const bytes = body.reduce((sum, { length }) => sum + length, 0)
    const signed = this.#sign({
      method,
      path: this.#pathOf(name, query),
      headers: {
        ...headers,
        ...(method === 'PUT' || method === 'POST' ? { 'Content-Length': String(bytes) } : {}),
        'X-Amz-Content-Sha256': sha256 ?? hashOf(body),
      },
    })
    const answerMs =
      takes === 'part' ? PART_ANSWER_MS_MAX : takes === 'join' ? JOIN_ANSWER_MS_MAX : this.#answerMsMax
    return new Promise<IncomingMessage>((resolve, reject) => {
      const send = this.#isSecure ? requestSecure : requestPlain
      const { hostname, port } = this.#url
      const options: RequestOptions = {
        agent: this.#agent,
        // An IPv6 address stands in brackets in an address only.
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: signed.path ?? '/',
        headers: signed.headers ?? {},
      }
      const request = send(options, (response) => {
        clearTimeout(timer)
        resolve(response)
      })
      const timer = setTimeout(() => request.destroy(new SilentStoreError()), answerMs)
      request.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      for (const chunk of body) request.write(chunk)
      request.end()
    })
  }

  #sign(given: { method: string; path: string; headers?: Record<string, string>; signQuery?: boolean }) {
    const { region, accessKeyId, secretAccessKey, sessionToken } = this.#address
    const request = { ...given, host: this.#url.host, service: 's3', region }
    return aws4.sign(request, {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    })
  }

  /** Names need no escapes: the server and its settings make them of plain characters. */
  #pathOf(name: string | undefined, query: Readonly<Record<string, string>>): string {
    const base = this.#url.pathname.replace(/\/$/, '')
    const path = name === undefined ? `${base}/` : `${base}/${name}`
    const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
    return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
  }
}

/** The store did not answer in time. */
class SilentStoreError extends Error {
  override readonly name = 'SilentStoreError'
  readonly code = 'SILENT'
}

/** The chunks of an answer; ends it if the next one takes too long. The time of the consumer does not count. */
export async function* readWithinTime(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new SilentStoreError()), SILENCE_MS_MAX)
      const next = await chunks.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value as Uint8Array
    }
  } finally {
    response.destroy()
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  return (await readBytes(response, ANSWER_BYTES_MAX)).toString()
}

async function readBytes(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of readWithinTime(response)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new FilesUnavailableError('the answer of the object store is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function toRefusal(response: IncomingMessage): Promise<StoreRefusal> {
  const { statusCode = 0, headers } = response
  const text = await readText(response).catch(() => '') // The status says enough.
  const region = headers['x-amz-bucket-region']
  const isElsewhere = statusCode >= 300 && statusCode < 400 && typeof region === 'string'
  return new StoreRefusal(statusCode, readFailureCode(text), isElsewhere ? ` (its region is ${region})` : '')
}

function isPassing(error: unknown): boolean {
  if (error instanceof StoreRefusal)
    return error.status >= 500
      ? error.status !== 501
      : error.status === 429 || PASSING_CODES.includes(error.code)
  return !(error instanceof FilesUnavailableError || error instanceof FileTooLargeError)
}

/** Maps a failed connection to the store's own error. */
export function explain(error: unknown): unknown {
  if (error instanceof StoreRefusal && error.code === 'NoSuchKey')
    return new FileMissingError('there is no such file', { cause: error })
  if (error instanceof FilesUnavailableError || error instanceof FileTooLargeError) return error
  const { code = 'no answer' } = error as NodeJS.ErrnoException
  return new FilesAwayError(`the object store cannot be reached: ${code}`, { cause: error })
}

function hashOf(body: readonly Uint8Array[]): string {
  const sum = createHash('sha256')
  for (const chunk of body) sum.update(chunk)
  return sum.digest('hex')
}
