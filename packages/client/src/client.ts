/** A client of one server, as one user. */

import { type EventOptions, streamUpdates, type Update } from './event-stream.ts'
import { type Connection, type Fields, sendForm, sendRequest } from './http.ts'
import type { Uploaded, UploadOptions } from './upload.ts'
import type { Operations } from './wire-types.ts'

/** Names of operations, such as `GET /users/{user_id}`. */
export type OperationName = keyof Operations
/** The parameters of an operation, including those in its path. */
export type ParamsOf<Name extends OperationName> = Operations[Name]['params']
/** The reply of an operation. */
export type ReplyOf<Name extends OperationName> = Operations[Name]['reply']

type MayBeLeftOut<Params> = Record<never, never> extends Params ? [params?: Params] : [params: Params]

/** The server and the credentials. */
export interface ClientOptions {
  /** The address of the server, such as `https://chat.example.com`. */
  readonly url: string
  /** The email address of the user or bot; without it, requests have no `Authorization` header. */
  readonly email?: string
  /** The API key of that user. */
  readonly key?: string
  /**
   * Returns the value of the cookie `csrftoken` (over TLS `__Host-csrftoken`), for a program in a browser that is logged
   * in by a session: the browser sends its cookie, and this value goes with each request that changes something.
   */
  readonly csrfToken?: () => string | undefined
  /** Replaces the platform's `fetch`, for example with one that adds a header. */
  readonly fetch?: typeof fetch
}

/** Calls operations, follows events, uploads files. */
export class ParleyClient {
  readonly #connection: Connection

  constructor({ url, fetch = globalThis.fetch.bind(globalThis), ...login }: ClientOptions) {
    this.#connection = { url: url.replace(/\/+$/, ''), credentials: credentialsOf(login), fetch }
  }

  /**
   * Calls an operation: `client.call('GET /users/{user_id}', { user_id: 9 })`. Throws an `ApiError` if the server
   * refuses, and a `ConnectionError` if it does not answer.
   */
  call<Name extends OperationName>(
    name: Name,
    ...[params]: MayBeLeftOut<ParamsOf<Name>>
  ): Promise<ReplyOf<Name>> {
    return this.#send(name, params ?? {}) as Promise<ReplyOf<Name>>
  }

  /** The same with a signal that cancels the wait. */
  callWith<Name extends OperationName>(
    { signal }: { readonly signal: AbortSignal },
    name: Name,
    ...[params]: MayBeLeftOut<ParamsOf<Name>>
  ): Promise<ReplyOf<Name>> {
    return this.#send(name, params ?? {}, signal) as Promise<ReplyOf<Name>>
  }

  /** Calls an operation that takes a file in its form, such as the picture of a custom emoji. */
  callWithFile<Name extends OperationName>(
    name: Name,
    params: ParamsOf<Name>,
    file: Blob,
  ): Promise<ReplyOf<Name>> {
    return sendForm(this.#connection, name, params, file) as Promise<ReplyOf<Name>>
  }

  /**
   * Registers an event queue and follows it: yields `{ kind: 'registered' }` with the state first, then each event once
   * and in order, across lost connections and restarts of the server. If the queue is gone it registers again and
   * yields another `registered`, whose state replaces the former. Ends with the signal.
   */
  updates(options: EventOptions = {}): AsyncGenerator<Update, void, void> {
    return streamUpdates(this.#connection, options)
  }

  /** Uploads a file in pieces; resumes after a lost connection. */
  async upload(file: Blob | Uint8Array, options: UploadOptions): Promise<Uploaded> {
    const { uploadFile } = await import('./upload.ts') // Loaded only by programs that upload.
    return uploadFile(this.#connection, file, options)
  }

  #send(name: string, params: Fields, signal?: AbortSignal): Promise<Fields> {
    return sendRequest(this.#connection, name, params, signal)
  }
}

function credentialsOf({ email, key = '', csrfToken }: Omit<ClientOptions, 'url' | 'fetch'>) {
  const headers: Record<string, string> =
    email === undefined ? {} : { Authorization: `Basic ${encodeBase64(`${email}:${key}`)}` }
  return (method: string) => {
    const token = method === 'GET' ? undefined : csrfToken?.()
    return token === undefined ? headers : { ...headers, 'X-CSRFToken': token }
  }
}

/** Base64 of UTF-8, with functions that browsers and Node share. */
function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
