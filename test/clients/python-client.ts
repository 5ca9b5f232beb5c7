/** The requests of the Python client library, with its encodings; written from its description. */

import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Named, Refusal, ReplyAt, WireEvent } from '../harness/client/wire-types.ts'

/** The client of the library, as far as a bot uses it. */
export class PythonClient {
  readonly #url: string
  readonly #authorization: string
  /** Paths in the order of the requests. */
  readonly requests: string[] = []
  #isStopped = false

  private constructor(url: string, email: string, key: string) {
    this.#url = url
    this.#authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  }

  /** The constructor of the library requests the server version, and fails without it. */
  static async connect(url: string, email: string, key: string): Promise<PythonClient> {
    const client = new PythonClient(url, email, key)
    const settings = await client.call('GET', 'server_settings')
    if (typeof (settings as Named)['zulip_version'] !== 'string') throw new Error('the reply has no version')
    return client
  }

  /** Values other than text are sent as JSON; in the query of a GET, else in a form. */
  async call<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    fields: Record<string, unknown> = {},
  ): Promise<ReplyAt<Method, `/${Path}`> & Refusal> {
    const encoded = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      encoded.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    this.requests.push(`${method} ${path}`)
    const inQuery = method === 'GET' && encoded.size > 0
    const body = method === 'GET' ? '' : encoded.toString()
    const asking = request(`${this.#url}/api/v1/${path}${inQuery ? `?${encoded.toString()}` : ''}`, {
      method,
      headers: {
        authorization: this.#authorization,
        'user-agent': 'ZulipPython/0.9.1 (Linux; 6.1)',
        accept: '*/*',
        'accept-encoding': 'gzip, deflate',
        ...(method === 'GET'
          ? {}
          : {
              'content-type': 'application/x-www-form-urlencoded',
              'content-length': Buffer.byteLength(body),
            }),
      },
    })
    asking.end(body)
    return new Promise((resolve, reject) => {
      asking.on('error', reject)
      asking.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const isGzip = response.headers['content-encoding'] === 'gzip'
          resolve(JSON.parse((isGzip ? gunzipSync(bytes) : bytes).toString()))
        })
      })
    })
  }

  stop(): void {
    this.#isStopped = true
  }

  /** The endless loop of the library: it registers again if its queue is gone. */
  async callOnEachEvent(onEvent: (event: WireEvent) => void): Promise<void> {
    let queueId: string | undefined
    let lastEventId = -1
    while (!this.#isStopped) {
      if (queueId === undefined) {
        const reply = await this.call('POST', 'register', { event_types: null, narrow: [] })
        if (reply.result !== 'success') throw new Error(JSON.stringify(reply))
        queueId = reply.queue_id ?? undefined
        lastEventId = reply.last_event_id
      }
      const reply = await this.call('GET', 'events', { queue_id: queueId, last_event_id: lastEventId })
      if (reply.result !== 'success') {
        if (reply.code !== 'BAD_EVENT_QUEUE_ID') throw new Error(JSON.stringify(reply))
        queueId = undefined
        continue
      }
      for (const event of reply.events) {
        lastEventId = Math.max(lastEventId, Number(event.id))
        if (event.type !== 'heartbeat') onEvent(event)
      }
    }
  }
}
