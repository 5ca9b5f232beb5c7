/** Secrets: values that are stored and never shown. */

/** A value that no JSON shows: not in the log, a broadcast or the logger's output. */
export class Secret<Value> {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** Objects that hold it are written without it. */
  toJSON(): undefined {
    return undefined
  }

  /** The value, for storage or use. */
  reveal(): Value {
    return this.#value
  }
}
