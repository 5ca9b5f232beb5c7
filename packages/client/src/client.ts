/** A client of one server, as one user. */

import { type EventOptions, streamUpdates, type Update } from './event-stream.ts'
import { type Connection, type Fields, sendRequest } from './http.ts'
import { type Uploaded, uploadFile, type UploadOptions } from './upload.ts'
import type { Operations } from './wire-types.ts'

/** Names of operations, such as `GET /users/{user_id}`. */
export type OperationName = keyof Operations
/** The parameters of an operation, those in its path included. */
export type ParamsOf<Name extends OperationName> = Operations[Name]['params']
/** What an operation answers. */
export type ReplyOf<Name extends OperationName> = Operations[Name]['reply']

type MayBeLeftOut<Params> = Record<never, never> extends Params ? [params?: Params] : [params: Params]

/** Where the server is, and who asks. */
export interface ClientOptions {
  /** The address of the server, such as `https://chat.example.com`. */
  readonly url: string
  /** The email address of the user or bot; without one, requests carry no credentials of their own. */
  readonly email?: string
  /** The API key that belongs to it. */
  readonly key?: string
  /** Another `fetch` than the platform's, such as one that adds a header. */
  readonly fetch?: typeof fetch
}

/** Calls operations, follows events, uploads files. */
export class ParleyClient {
  readonly #connection: Connection

  constructor({ url, email, key, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions) {
    const authorization = email === undefined ? undefined : `Basic ${encodeBase64(`${email}:${key ?? ''}`)}`
    this.#connection = { url: url.replace(/\/+$/, ''), authorization, fetch }
  }

  /**
   * Calls an operation: `client.call('GET /users/{user_id}', { user_id: 9 })`. Throws an `ApiError` where the server
   * refuses, and a `ConnectionError` where it does not answer.
   */
  call<Name extends OperationName>(
    name: Name,
    ...[params]: MayBeLeftOut<ParamsOf<Name>>
  ): Promise<ReplyOf<Name>> {
    return this.#send(name, params ?? {}) as Promise<ReplyOf<Name>>
  }

  /** The same with a signal that gives up waiting. */
  callWith<Name extends OperationName>(
    { signal }: { readonly signal: AbortSignal },
    name: Name,
    ...[params]: MayBeLeftOut<ParamsOf<Name>>
  ): Promise<ReplyOf<Name>> {
    return this.#send(name, params ?? {}, signal) as Promise<ReplyOf<Name>>
  }

  /**
   * Registers an event queue and follows it: first `{ kind: 'registered' }` with the state, then each event once and
   * in order, over lost connections and restarts of the server. Where the queue is gone it registers again, and says
   * so by another `registered`, whose state replaces the former. Ends with the signal.
   */
  updates(options: EventOptions = {}): AsyncGenerator<Update, void, void> {
    return streamUpdates(this.#connection, options)
  }

  /** Uploads a file in pieces, which go on where they stopped after a lost connection. */
  upload(file: Blob | Uint8Array, options: UploadOptions): Promise<Uploaded> {
    return uploadFile(this.#connection, file, options)
  }

  #send(name: string, params: Fields, signal?: AbortSignal): Promise<Fields> {
    return sendRequest(this.#connection, name, params, signal)
  }
}

/** Base64 of UTF-8, by what browsers and Node both have. */
function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
