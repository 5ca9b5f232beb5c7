/** One user of a mixed day: a client that polls without a pause, and records its events. */

import { HttpConnection, getRequest } from './http-connection.ts'

/** The ids and types of the events in a reply. */
const EVENT = /\{"id":(\d+),"type":"(\w+)"/g

/** The settings of a user's client. */
export interface DayPersonOptions {
  readonly authorization: string
  readonly channel: string
  readonly queueId: string
  readonly lastEventId: number
  onError(error: Error): void
}

/** Polls until it is stopped. */
export class DayPerson {
  readonly authorization: string
  readonly channel: string
  /** The ids of its messages, in the order of arrival. */
  readonly messageIds: number[] = []
  /** The newest of them, which it marks as read. */
  newestId = 0
  pollCount = 0
  readonly #options: DayPersonOptions
  #lastEventId: number
  #connection: HttpConnection | undefined

  constructor(options: DayPersonOptions) {
    this.#options = options
    this.authorization = options.authorization
    this.channel = options.channel
    this.#lastEventId = options.lastEventId
  }

  async start(port: number): Promise<void> {
    this.#connection = await HttpConnection.open(port)
    this.#connection.onLost = (reason) => this.#options.onError(new Error(`a poll: ${reason}`))
    this.#poll()
  }

  stop(): void {
    this.#connection?.close()
  }

  #poll(): void {
    const query = `queue_id=${this.#options.queueId}&last_event_id=${this.#lastEventId}`
    const request = getRequest(`/api/v1/events?${query}`, this.authorization)
    this.#connection?.send(request, (status, body) => {
      const text = body.toString('latin1')
      if (status !== 200) return this.#options.onError(new Error(`a poll answered ${status}: ${text}`))
      this.pollCount++
      this.#take(text)
      this.#poll()
    })
  }

  #take(text: string): void {
    EVENT.lastIndex = 0
    for (let found = EVENT.exec(text); found; found = EVENT.exec(text)) {
      const id = Number(found[1])
      if (id <= this.#lastEventId)
        this.#options.onError(new Error(`event ${id} came after ${this.#lastEventId}`))
      this.#lastEventId = id
      if (found[2] !== 'message') continue
      this.messageIds.push(id)
      this.newestId = id
    }
  }
}
