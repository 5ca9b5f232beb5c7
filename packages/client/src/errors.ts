/** The errors of a request. */

/** The server refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** For programs, such as `BAD_REQUEST`; undefined if the error has none. */
  readonly code: string | undefined
  /** The other fields of the answer, such as `retry-after` in seconds. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { msg, code, ...fields } = body
    super(typeof msg === 'string' ? msg : `HTTP status ${status}`)
    this.status = status
    this.code = typeof code === 'string' ? code : undefined
    this.fields = fields
  }

  /** Seconds until a retry; undefined if a retry cannot help. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.fields['retry-after']
    if (typeof seconds === 'number') return seconds
    return this.status === 429 || this.status >= 500 ? 1 : undefined
  }
}

/** The API did not answer: the server is unavailable, or another program answered. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Nothing answers at the address, so that another transport would not help. */
export class UnreachableError extends ConnectionError {}
