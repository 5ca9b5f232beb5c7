/** Counts bytes that clients take in memory. */

/** Bytes of one kind of client, with a limit for each and for all together. */
export class Pool {
  readonly #bytesMax: number
  readonly #perClientMax: number
  readonly #clients = new Map<string | number, number>()
  #bytes = 0

  constructor(bytesMax: number, perClientMax: number) {
    this.#bytesMax = bytesMax
    this.#perClientMax = perClientMax
  }

  get bytes(): number {
    return this.#bytes
  }

  take(client: string | number, bytes: number): boolean {
    const taken = (this.#clients.get(client) ?? 0) + bytes
    if (this.#bytes + bytes > this.#bytesMax || taken > this.#perClientMax) return false
    this.#bytes += bytes
    this.#clients.set(client, taken)
    return true
  }

  giveBack(client: string | number, bytes: number): void {
    this.#bytes -= bytes
    const left = (this.#clients.get(client) ?? 0) - bytes
    if (left > 0) this.#clients.set(client, left)
    else this.#clients.delete(client)
  }
}
