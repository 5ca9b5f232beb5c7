/** A client that receives messages at any of several servers, whatever happens to them. */

import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

/**
 * The transport of a client: held polls, polls without waiting, a WebSocket, server-sent events, or each in
 * turn.
 */
export type ListenerKind = 'poll' | 'glance' | 'socket' | 'source' | 'changing'

/** The options of a listener. */
export interface ListenerOptions {
  readonly kind: ListenerKind
  /** The addresses of the servers, tried in turn from the first. They can change. */
  readonly urls: readonly string[]
  readonly authorization: string
  readonly queueId: string
  readonly lastEventId: number
  /** Connections are kept open and shared with other listeners. */
  readonly agent: Agent
  /** The event types, if not only messages. */
  readonly types?: readonly string[]
}

const RETRY_WAIT_MS = 30
const WAYS = ['poll', 'socket', 'glance', 'source'] as const

/** Receives the messages of one queue. */
export class Listener {
  /** The received ids in the order of arrival. */
  readonly ids: number[] = []
  /** Answers that no listener should get. */
  readonly surprises: string[] = []
  readonly kind: ListenerOptions['kind']
  readonly #options: ListenerOptions
  #lastEventId: number
  #place = 0
  #rounds = 0
  #isStopped = false
  #abort = new AbortController()
  #running: Promise<void>

  constructor(options: ListenerOptions) {
    this.#options = options
    this.kind = options.kind
    this.#lastEventId = options.lastEventId
    this.#running = this.#run()
  }

  /** Breaks its connection, like a bad line; it reconnects by itself. */
  disconnect(): void {
    this.#abort.abort()
    this.#abort = new AbortController()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#abort.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const way = this.kind === 'changing' ? (WAYS[this.#rounds++ % WAYS.length] ?? 'poll') : this.kind
      const isWell = await this.#ask(way)
      if (this.#isStopped) continue
      if (!isWell) this.#place++ // The next server, after a pause.
      if (!isWell || way === 'glance') await wait(RETRY_WAIT_MS)
    }
  }

  #ask(way: Exclude<ListenerKind, 'changing'>): Promise<boolean> {
    if (way === 'socket') return this.#stream()
    if (way === 'source') return this.#listen()
    return this.#poll(way === 'glance')
  }

  #address(path: string): string {
    const { urls, queueId } = this.#options
    const query = `queue_id=${queueId}&last_event_id=${this.#lastEventId}`
    return `${urls[this.#place % urls.length]}/api/v1${path}?${query}`
  }

  #poll(isGlance: boolean): Promise<boolean> {
    const { agent, authorization } = this.#options
    const address = `${this.#address('/events')}&dont_block=${isGlance}`
    return new Promise((resolve) => {
      const asking = request(address, { agent, headers: { authorization }, signal: this.#abort.signal })
      asking.on('error', () => resolve(false))
      asking.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('error', () => resolve(false))
        response.on('close', () => {
          if (!response.complete) return resolve(false)
          if (response.statusCode === 200) this.#take(text)
          else this.surprises.push(text)
          resolve(response.statusCode === 200)
        })
      })
      asking.end()
    })
  }

  #stream(): Promise<boolean> {
    const { authorization } = this.#options
    const { signal } = this.#abort
    return new Promise((resolve) => {
      const socket = new WebSocket(this.#address('/events/stream'), { headers: { authorization } })
      const stop = () => socket.terminate()
      signal.addEventListener('abort', stop)
      socket.on('message', (data: Buffer) => this.#take(data.toString()))
      socket.on('error', () => {}) // It closes next.
      socket.on('unexpected-response', (_, response) =>
        this.surprises.push(`upgrade: ${response.statusCode}`),
      )
      socket.on('close', (code) => {
        signal.removeEventListener('abort', stop)
        if (code === 4002) this.surprises.push(`closed: ${code}`)
        resolve(false)
      })
    })
  }

  #listen(): Promise<boolean> {
    const { agent, authorization } = this.#options
    const headers = { authorization, accept: 'text/event-stream' }
    return new Promise((resolve) => {
      const asking = request(this.#address('/events/stream'), { agent, headers, signal: this.#abort.signal })
      asking.on('error', () => resolve(false))
      asking.on('response', (response) => {
        if (response.statusCode !== 200) this.surprises.push(`stream: ${response.statusCode}`)
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const events = (text + chunk).split('\n\n')
          text = events.pop() as string
          for (const event of events) this.#take(event)
        })
        response.on('error', () => {}) // It closes next.
        response.on('close', () => resolve(false))
      })
      asking.end()
    })
  }

  /** Finds ids in the text: hundreds of listeners share one thread with the test. */
  #take(text: string): void {
    const { types = ['message'] } = this.#options
    for (const [, id, type] of text.matchAll(/\{"id":(\d+),"type":"([a-z_]+)"/g)) {
      const isHeard = types.includes(type as string)
      if (isHeard || type === 'heartbeat') this.#lastEventId = Number(id)
      if (isHeard) this.ids.push(Number(id))
    }
  }
}
