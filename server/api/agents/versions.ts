/** The versions of the Model Context Protocol, and the names that its messages have in common. */

/** Each request says by itself who asks and in which version: there is no session to begin. */
export const MODERN_VERSION = '2026-07-28'
/** Versions that begin with `initialize`; the newest is offered to clients that ask for an unknown one. */
export const EARLIER_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
export const NEWEST_EARLIER_VERSION = '2025-11-25'
/** Several messages in one body; later versions have none. An empty text is a client that names no version. */
const BATCHING_VERSIONS: readonly string[] = ['', '2025-03-26', '2024-11-05']
/** Messages of a body: agents ask for a few things at once, and each may cost as much as a request. */
export const BATCH_LENGTH_MAX = 20

export function hasBatches(version: string): boolean {
  return BATCHING_VERSIONS.includes(version)
}

/** Keys of `_meta`. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const

/** Codes of errors: those of JSON-RPC, and those of the protocol. */
export const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  header: -32_020,
  version: -32_022,
} as const

/** A message that is refused: its error, and the status of an answer that has nothing else. */
export class MessageError extends Error {
  override readonly name = 'MessageError'
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  constructor(
    code: number,
    message: string,
    { status = 400, data }: { status?: number; data?: object } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
