/** What is stored and never told. */

/** A value that no JSON shows: not the log's, not a broadcast's, not a logger's. */
export class Secret<Value> {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** So that whatever holds it is written without it. */
  toJSON(): undefined {
    return undefined
  }

  /** The value, for whoever stores or uses it. */
  reveal(): Value {
    return this.#value
  }
}
