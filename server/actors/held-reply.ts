/** A reply that is sent later, such as a parked poll's. */

/**
 * Holds only the part of a request that writes the reply: a thousand parked polls are a thousand small records, not a
 * thousand suspended calls.
 */
export class HeldReply {
  /** Called when the client no longer waits. */
  readonly abort: () => void
  #body: string | undefined
  #onEnd: ((body: string | Buffer) => void) | undefined

  constructor(abort: () => void) {
    this.abort = abort
  }

  /** Sends the reply, once. The bytes are lent for the call. */
  end(body: string | Buffer): void {
    if (this.#onEnd) this.#onEnd(body)
    else this.#body = body.toString()
  }

  /** Calls the listener when the reply is available, which may be now. */
  onEnd(listener: (body: string | Buffer) => void): void {
    if (this.#body !== undefined) listener(this.#body)
    else this.#onEnd = listener
  }
}
