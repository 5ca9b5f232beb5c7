/** A client of the API for tests: over HTTP, with the credentials of any user. */

import { checkFailure, checkReply, matchOperation } from './check-reply.ts'
import { noteEvent } from './note-event.ts'
import { sendRequest } from './send-request.ts'
import type { List, Refusal, ReplyAt, WireEvent, WireState } from './wire-types.ts'

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'

/** A decoded answer: its body has the fields of a reply or those of a refusal. */
export interface Answer<Reply extends object = Record<string, unknown>> {
  readonly status: number
  readonly body: Reply & Refusal
  readonly headers: Headers
}

/** Parameters: texts are sent as they are, everything else as JSON. */
export type Fields = Record<string, unknown>

/** The client side of an event queue. */
export interface Queue {
  readonly queueId: string
  lastEventId: number
  /** The reply of `/register`. */
  readonly state: WireState
}

/** The client of one user. */
export class Client {
  readonly url: string
  readonly userId: number
  email: string
  key: string
  /** The program; empty for none. */
  userAgent = ''

  constructor(url: string, userId: number, email: string, key: string) {
    this.url = url
    this.userId = userId
    this.email = email
    this.key = key
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.email}:${this.key}`).toString('base64')}`
  }

  /**
   * One request, with parameters in the query of a GET, or else in a form. The answer must be a declared one.
   */
  async request<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    fields: Fields = {},
    moreHeaders: Record<string, string> = {},
  ): Promise<Answer<ReplyAt<Method, Path>>> {
    const encoded = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) encoded.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const query = method === 'GET' && encoded.size > 0 ? `?${encoded.toString()}` : ''
    const { status, headers, text } = await sendRequest(`${this.url}/api/v1${path}${query}`, {
      method,
      headers: {
        ...(this.key === '' ? {} : { authorization: this.authorization }),
        ...(this.userAgent === '' ? {} : { 'user-agent': this.userAgent }),
        ...(method === 'GET' ? {} : { 'content-type': FORM }),
        ...moreHeaders,
      },
      ...(method === 'GET' ? {} : { body: encoded.toString() }),
    })
    const body = JSON.parse(text) as Record<string, unknown>
    const operation = matchOperation(method, path)
    if (operation && status === 200) checkReply(operation, body)
    if (operation && status !== 200) checkFailure(status, body)
    return { status, body: body as ReplyAt<Method, Path> & Refusal, headers }
  }

  /** Files as parts of a multipart body, each named by its path, as some clients do, besides fields. */
  async upload<Path extends string, Method extends string = 'POST'>(
    path: Path,
    files: readonly Uint8Array[],
    method: Method = 'POST' as Method,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Answer<ReplyAt<Method, Path>>> {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    for (const [index, file] of files.entries()) {
      body.append(`/home/me/${index}.png`, new Blob([new Uint8Array(file)]), `${index}.png`)
    }
    const headers = this.key === '' ? {} : { authorization: this.authorization }
    const response = await fetch(`${this.url}/api/v1${path}`, { method, headers, body })
    const answer = (await response.json()) as Record<string, unknown>
    const operation = matchOperation(method, decodeURI(path))
    if (operation && response.status === 200) checkReply(operation, answer)
    else checkFailure(response.status, answer)
    return {
      status: response.status,
      body: answer as ReplyAt<Method, Path> & Refusal,
      headers: response.headers,
    }
  }

  get = <Path extends string>(path: Path, fields?: Fields) => this.request('GET', path, fields)
  post = <Path extends string>(path: Path, fields?: Fields) => this.request('POST', path, fields)
  patch = <Path extends string>(path: Path, fields?: Fields) => this.request('PATCH', path, fields)
  delete = <Path extends string>(path: Path, fields?: Fields) => this.request('DELETE', path, fields)

  /** The body of a request that must succeed. */
  async must<Method extends 'GET' | 'POST' | 'PATCH' | 'DELETE', Path extends string>(
    method: Method,
    path: Path,
    fields?: Fields,
  ): Promise<ReplyAt<Method, Path>> {
    const { status, body } = await this.request(method, path, fields)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Registers a queue. */
  async register(fields: Fields = {}): Promise<Queue> {
    const state = await this.must('POST', '/register', fields)
    return { queueId: String(state.queue_id), lastEventId: state.last_event_id, state }
  }

  /** The current events of a queue, without waiting; the next call acknowledges them. */
  async events(queue: Queue, fields: Fields = { dont_block: true }): Promise<List<WireEvent>> {
    const body = await this.must('GET', '/events', {
      queue_id: queue.queueId,
      last_event_id: queue.lastEventId,
      ...fields,
    })
    const { events } = body
    for (const event of events) noteEvent(event)
    queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
    return events
  }

  /** Sends a channel message; returns its id. */
  async send(channel: string, topic: string, content: string, more: Fields = {}): Promise<number> {
    return (
      await this.must('POST', '/messages', {
        type: 'channel',
        to: JSON.stringify(channel),
        topic,
        content,
        ...more,
      })
    ).id
  }

  /** Sends a direct message; returns its id. */
  async sendDirect(to: readonly number[], content: string, more: Fields = {}): Promise<number> {
    return (await this.must('POST', '/messages', { type: 'direct', to, content, ...more })).id
  }

  /** Subscribes this user, and others by id; no notices are sent unless requested. */
  subscribe(
    names: readonly string[],
    fields: Fields = {},
  ): Promise<ReplyAt<'POST', '/users/me/subscriptions'>> {
    return this.must('POST', '/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      send_new_subscription_messages: false,
      ...fields,
    })
  }
}
