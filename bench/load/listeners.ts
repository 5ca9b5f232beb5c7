/** Checks the messages that many clients receive: every id once and in order; records when the last client has it. */

/** The ids of the messages in a reply or frame. */
const MESSAGE_EVENT = /\{"id":(\d+),"type":"(message|heartbeat)"/g

/** Counts the messages of all clients of a process. */
export class Listeners {
  readonly #count: number
  /** By client, the ids of this turn in the order of arrival. */
  #arrived: number[][] = []
  #total = 0
  readonly #lastArrivalMs = new Map<number, number>()
  /** The latest text of the first client. */
  sample = ''

  constructor(count: number) {
    this.#count = count
    this.begin()
  }

  /** Drops the messages before this turn. */
  begin(): void {
    this.#arrived = Array.from({ length: this.#count }, () => [])
    this.#total = 0
    this.#lastArrivalMs.clear()
  }

  /** Records the messages of one client; returns the last id, if any. */
  take(client: number, text: string): number | undefined {
    const nowMs = performance.now()
    let lastId: number | undefined
    MESSAGE_EVENT.lastIndex = 0
    for (let found = MESSAGE_EVENT.exec(text); found; found = MESSAGE_EVENT.exec(text)) {
      lastId = Number(found[1])
      if (found[2] !== 'message') continue
      this.#arrived[client]?.push(lastId)
      this.#total++
      this.#lastArrivalMs.set(lastId, nowMs)
    }
    if (client === 0 && lastId !== undefined) this.sample = text
    return lastId
  }

  haveAll(messages: number): boolean {
    return this.#total >= messages * this.#count
  }

  lastArrivalMs(id: number): number {
    return this.#lastArrivalMs.get(id) as number
  }

  /** Throws unless each client received exactly these messages, in this order. */
  check(ids: readonly number[]): void {
    for (const [client, arrived] of this.#arrived.entries()) {
      const isRight = arrived.length === ids.length && arrived.every((id, index) => id === ids[index])
      if (!isRight)
        throw new Error(`client ${client} received ${arrived.join(', ')} rather than ${ids.join(', ')}`)
    }
  }

  describe(): string {
    return `${this.#total} arrivals at ${this.#count} clients`
  }
}
