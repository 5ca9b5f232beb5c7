/** A reply that comes later, as a parked poll's does. */

/**
 * What waits for the reply holds nothing of the request but what it needs to write it: a thousand
 * parked polls are a thousand small records, not a thousand suspended calls.
 */
export class HeldReply {
  /** To be called when nobody waits any more. */
  readonly abort: () => void
  #body: string | undefined
  #onEnd: ((body: string | Buffer) => void) | undefined

  constructor(abort: () => void) {
    this.abort = abort
  }

  /** Gives the reply, once. Bytes are lent for the call. */
  end(body: string | Buffer): void {
    if (this.#onEnd) this.#onEnd(body)
    else this.#body = body.toString()
  }

  /** Calls back when the reply is there, which may be now. */
  onEnd(listener: (body: string | Buffer) => void): void {
    if (this.#body !== undefined) listener(this.#body)
    else this.#onEnd = listener
  }
}
