/** What can go wrong with a request. */

/** The server refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** For programs, such as `BAD_REQUEST`; undefined where the error has none. */
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

  /** Seconds to wait before another try; undefined where another try does not help. */
  get retryAfterSeconds(): number | undefined {
    const told = this.fields['retry-after']
    if (typeof told === 'number') return told
    return this.status === 429 || this.status >= 500 ? 1 : undefined
  }
}

/** No answer of the API came: the server is away, or something else answers in its place. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
