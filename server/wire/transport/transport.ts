/**
 * The seam between this server and the library that speaks HTTP: all of `server/wire` knows the library by these types
 * alone. They are the part of uWebSockets.js that the server needs, so that its objects pass through as they are.
 */

/** The head of a request. It is lent: use it within the call that gets it. */
export interface HttpRequest {
  /** As sent. */
  getCaseSensitiveMethod(): string
  /** The path as sent, escapes included, up to the first `?`. */
  getUrl(): string
  /** The text after the first `?`; undefined or empty without one. */
  getQuery(): string | undefined
  /** The first header of this name; empty without one. */
  getHeader(lowerCaseName: string): string
  /** All headers in their order, duplicates included, with lower-case names. */
  forEach(onHeader: (lowerCaseName: string, value: string) => void): void
}

/** Bytes of one request's head: narrows travel in the address. Each connection with a slow head holds up to this much. */
export const HEAD_BYTES_MAX = 32 * 1024

/** A piece of a body. Its memory is lent for the call that gets it. */
export type Chunk = ArrayBuffer | Uint8Array<ArrayBuffer>

/** The bytes of a piece, in its own memory. */
export function bytesOf(chunk: Chunk): Uint8Array<ArrayBuffer> {
  return chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk
}

/**
 * The end of a connection whose last answer leaves bytes of its request unread. `drop`: the rest of the body is read and
 * dropped for a while, since a client or proxy that still writes would lose the answer with its connection. `cut`: it
 * ends at once, since nobody knows where the body ends, and no request may hide in it.
 */
export type LastEnd = 'drop' | 'cut'

/** Milliseconds for which the rest of a body is dropped: a proxy stops within a round trip. */
export const DROP_MS_MAX = 5_000
/** Bytes of the rest that are dropped then: Apache reads no answer before it has sent everything. */
export const DROPPED_BYTES_MAX = 128 * 1024 * 1024
/** Bytes of a refused body that are skipped so that its connection goes on. */
export const SKIPPED_BYTES_MAX = 32 * 1024 * 1024

/**
 * Called with the bytes of an answer that the client does not take at once. Returns the callback for their end, or
 * undefined if they may not wait: then the connection is closed.
 */
export type OnWaiting = (bytes: number) => (() => void) | undefined

/**
 * A request in progress, and its answer. It ends with the answer, or when the client disconnects; from then on it must
 * not be used. A handler that does not answer in its own turn must register `onAborted` in that turn.
 */
export interface HttpResponse {
  /** The client's network address as text in ASCII. */
  getRemoteAddressAsText(): ArrayBuffer
  /** Called once if the client disconnects, or `close` is called, before the answer has ended. */
  onAborted(handler: () => void): void

  /** Receives the body; register it in the turn of the handler. The last chunk may be empty. */
  onData(handler: (chunk: Chunk, isLast: boolean) => void): void
  /** Stops reading from the client; chunks that were read already may still arrive. */
  pause(): void
  /** Reads on. */
  resume(): void

  /** Writes a head, and maybe a body, in one packet: all writes of an answer belong in it. */
  cork(write: () => void): void
  /** The status and its text; 200 by default. */
  writeStatus(status: string): void
  /** A value may go on with CRLF and whole lines of further headers, none of which is checked. */
  writeHeader(name: string, value: string): void
  /** Ends the answer; after `write` this is its last piece. The answer that closes its connection says so. */
  end(body: string | Uint8Array, isClosing?: boolean): void
  /** Ends the answer with its whole body. Until the client has taken it, no further request of the connection is served. */
  endWhole(body: string | Uint8Array, onWaiting: OnWaiting): void
  /**
   * Ends the answer with its whole body, or with none to HEAD, and then the connection. The reader of the request's body
   * must pass what it ignores to `onRest`; `isUnread` says that there is none.
   */
  endLast(body: string | Uint8Array | undefined, end: LastEnd, isUnread: boolean): void
  /** Receives bytes of a body that its reader ignores. */
  onRest?: ((bytes: number, isLast: boolean) => void) | undefined
  /** Ends an answer to HEAD, or with a status that has no body. The length is a header of the caller. */
  endWithoutBody(): void
  /** Writes a piece of an answer of unknown length; false if bytes wait for the client. `onWritable` follows then. */
  write(piece: string): boolean
  /**
   * Writes a chunk of a body of known length. If it is not taken whole, `onWritable` follows, and the rest must be
   * written again: it starts at the write offset.
   */
  tryEnd(chunk: Uint8Array, bytes: number): readonly [isTaken: boolean, hasEnded: boolean]
  /** Bytes of the body that were taken. */
  getWriteOffset(): number
  /** Called with the write offset when the client reads again; answers whether everything is written. */
  onWritable(handler: (offset: number) => boolean): void
  /** Closes the connection; `onAborted` is called before it returns. */
  close(): void
}

/** A WebSocket; every use after its end throws. */
export interface WebSocket<Data> {
  getUserData(): Data
  /** Sends a text frame, uncompressed. */
  send(text: string): void
  /** Bytes that wait for the client. */
  getBufferedAmount(): number
  /** Closes it with a code and a reason; the route's `close` is called before it returns. */
  end(code: number, reason: string): void
}

/** A route of WebSockets. */
export interface WebSocketRoute<Data> {
  /** Bytes of a frame from a client; a longer one ends the connection. */
  readonly frameBytesMax: number
  /** Bytes that may wait for a client. */
  readonly bufferedBytesMax: number
  /** Seconds of silence after which a socket is closed; the transport sends pings in time. */
  readonly idleSeconds: number
  /** Admits the request for a socket in its own turn. Returns undefined if it was refused, and so answered. */
  readonly admit: (res: HttpResponse, req: HttpRequest) => Data | undefined
  readonly open: (ws: WebSocket<Data>) => void
  readonly message: (ws: WebSocket<Data>, message: Chunk, isBinary: boolean) => void
  /** The transport answers it. */
  readonly ping: (ws: WebSocket<Data>, message: Chunk) => void
  /** Waiting bytes were sent. */
  readonly drain: (ws: WebSocket<Data>) => void
  /** Called once; the socket must not be used from now on. */
  readonly close: (ws: WebSocket<Data>) => void
}

/** Serves a request; false leaves it to the next route. */
export type MaybeHandle = (res: HttpResponse, req: HttpRequest) => boolean
export type Handle = (res: HttpResponse, req: HttpRequest) => void

/** A listening socket. */
export interface Listener {
  readonly port: number
  /** Accepts no new connections. */
  stop(): void
  /** Closes all connections. */
  close(): void
}

/**
 * A server before it listens. A path is compared as sent; one that ends with an asterisk takes all below it. Routes are
 * added from the most specific on: WebSockets, then GET, then all methods.
 */
export interface App {
  /** Upgrades of GET requests to a path; other requests go to the next route. */
  ws<Data>(path: string, route: WebSocketRoute<Data>): void
  get(path: string, handle: MaybeHandle): void
  any(path: string, handle: Handle): void
  /** Listens on an address; port 0 takes a free one. Rejects with the reason, such as that the port is taken. */
  listen(host: string, port: number): Promise<Listener>
}

/** The reason why a transport refuses a request that it cannot read. */
export type Unreadable = 'malformed' | 'ambiguous' | 'head_too_long' | 'too_slow'

/** The room for connections. */
export interface ConnectionRoom {
  /** Counts a connection; false if it is to be refused. */
  enter(): boolean
  leave(): void
  /** The body of the refusal, which is JSON. */
  readonly refusal: string
}

/** The head of the answer to a connection without room. */
export const NO_ROOM_STATUS = '503 Service Unavailable'
export const NO_ROOM_HEADERS = { 'Content-Type': 'application/json', 'Retry-After': '2' } as const

/** A library that speaks HTTP. */
export interface Transport {
  readonly name: string
  /**
   * A new server. `refuse` answers requests that the library cannot read, and closes their connections; uWebSockets.js
   * has pages of its own for them.
   */
  createApp(refuse: (res: HttpResponse, reason: Unreadable) => void, room?: ConnectionRoom): App
}
