/** The type of an operation: route, parameters, errors, emitted events, access, and effect. */

import type { HeldReply } from '../actors/held-reply.ts'
import type { AgentMark } from '../domain/accounts/agent-mark.ts'
import type { User } from '../domain/entities.ts'
import type { LogEventType } from '../domain/events.ts'
import type { Schema, ValueOf } from '../domain/json-schema.ts'
import type { ApiError, CommonErrorName, ErrorName, Fail } from '../errors/api-error.ts'
import { type JsonPiece, listPieces } from '../views/json-pieces.ts'
import type { LoginExchange } from './login-exchange.ts'
import type { Params, ValuesOf } from './params.ts'
import type { Services } from './services.ts'
import type { ArrivedFile } from '../changes/uploads/uploads.ts'

/** The caller and the program that they use. */
export interface Caller {
  readonly user: User
  /** The calling program, from its User-Agent. */
  readonly client: string
}

/** The input of an operation's effect. */
export interface Call<P extends Params, Names extends ErrorName> extends Caller {
  readonly params: ValuesOf<P>
  /** The bytes of each file in the request, if the operation takes files. */
  readonly files: readonly Uint8Array[]
  /** The files of an operation that streams them to the file store; the operation owns them. */
  readonly arrived: ArrivedFiles
  readonly services: Services
  /** The body and the headers of a webhook, if the operation takes one. */
  readonly webhook: GivenWebhook
  /** The request at the door. */
  readonly exchange: LoginExchange
  /** The `User-Agent` header. */
  readonly userAgent: string
  /** The hash of the call's API key or session token; meaningless for public operations. */
  readonly keyHash: string
  /** Creates a declared error, to be thrown. */
  readonly fail: Fail<Names | CommonErrorName>
  /** The agent that asks in the name of the caller; undefined for all other requests. */
  readonly agent: AgentMark | undefined
  /** The id of the request, for what it asks of other processes. */
  readonly requestId: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** A reply that is encoded already: a JSON object as text or UTF-8, with `result` and `msg`. */
export class EncodedReply {
  readonly body: string | Buffer

  constructor(body: string | Buffer) {
    this.body = body
  }
}

/** Sends the client to another address of this server; some browsers show what is there at once. */
export class RedirectReply {
  /** A path with its query. */
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

/** A field of a reply that is encoded already, for every encoder of the reply. */
export class EncodedField {
  /** JSON. */
  readonly pieces: readonly JsonPiece[]

  constructor(pieces: readonly JsonPiece[]) {
    this.pieces = pieces
  }

  /** A list of items that are JSON already. */
  static list(items: readonly (readonly JsonPiece[])[]): EncodedField {
    return new EncodedField(listPieces(items))
  }
}

/** A success as a text, for senders that compare it. */
export class TextReply {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The fields of a success, its encoded text, another address, a text, or a promise that outlives the call. */
export type Reply = Record<string, unknown> | EncodedReply | RedirectReply | TextReply | HeldReply

/** The rule for the file of an operation: a part of a multipart body, with any name. */
export interface FileRule {
  readonly description: string
  /** In memory up to this size, or streamed to the file store up to the operator's limit. */
  readonly mibMax: number | 'streamed'
  /** Whether the operation works without it, by a form-encoded body, too. */
  readonly isOptional?: true
}

/** A webhook as it arrived. */
export interface GivenWebhook {
  readonly body: Uint8Array
  readonly contentType: string
  /** The fields of a form; undefined for other bodies. */
  readonly form?: ReadonlyMap<string, string> | undefined
  /** Headers by their names in lower case: those that an integration reads. */
  readonly headers: ReadonlyMap<string, string>
}

/** The files of a body that were streamed to the file store. */
export interface ArrivedFiles {
  /** The number of files; counting stops at two. */
  readonly count: number
  /** The first file, if it is complete and stored. */
  readonly first: ArrivedFile | 'too_large' | 'not_kept' | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A field of a success reply; `isOptional` if it may be missing. */
export interface ReplyField {
  readonly schema: Schema
  readonly description: string
  readonly isOptional?: true
}

/** An operation in the table. */
export interface Operation {
  readonly method: Method
  /** Under `/api/v1`; `{name}` stands for a parameter that the path contains. */
  readonly path: string
  readonly summary: string
  /** Paragraphs for the reference. */
  readonly description?: string
  /** `visitor`: an account, or nobody's where the organization allows visitors. */
  readonly access: 'anyone' | 'visitor' | 'user'
  /** Long polls are not counted: they wait rather than work. */
  readonly isUncounted?: true
  /** Log-ins have a limit of their own, against guessing. */
  readonly isLogin?: true
  /** The parameter with the user's password: calls with it count as log-ins, too. */
  readonly passwordParam?: string
  /** Incoming webhooks may call only these operations. */
  readonly isForWebhooks?: true
  /**
   * It takes the body of another system's webhook unread, with its headers. The caller is the bot whose key the address
   * has in `api_key`; other parameters are in the address, too.
   */
  readonly takesWebhook?: true
  /** An error in the form that senders to the path expect; undefined for the JSON of the API. */
  readonly refusal?: (
    failure: ApiError,
    pathParams: ReadonlyMap<string, string>,
  ) => { readonly status: number; readonly text: string } | undefined
  /** It works without the second factor that the organization requires: to set one up, or to log out. */
  readonly needsNoFactor?: true
  readonly isDeprecated?: true
  /** The rule for its file, if it takes one; the operation checks how many arrived. */
  readonly file?: FileRule
  readonly params: Params
  readonly reply: Readonly<Record<string, ReplyField>>
  readonly errors: readonly ErrorName[]
  readonly events: readonly LogEventType[]
  run(call: Call<Params, ErrorName>): Reply | Promise<Reply>
}

export type ReplyFields = Readonly<Record<string, ReplyField>>
type OptionalNames<Fields extends ReplyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly isOptional: true } ? Name : never
}[keyof Fields]

/** The answer of an operation with these fields: each matches its schema, or is encoded already. */
export type ReplyOf<Fields extends ReplyFields> = {
  readonly [Name in Exclude<keyof Fields, OptionalNames<Fields>>]:
    | ValueOf<Fields[Name]['schema']>
    | EncodedField
} & {
  readonly [Name in OptionalNames<Fields>]?: ValueOf<Fields[Name]['schema']> | EncodedField
}

type FieldsOf<Answer> = Answer extends EncodedReply | RedirectReply | TextReply | HeldReply
  ? never
  : keyof Answer
/** Forbids undeclared fields in an answer: the compiler alone does not check them in returned objects. */
export type RefuseUndeclared<Answer, Fields extends ReplyFields> = [
  Exclude<FieldsOf<Answer>, keyof Fields>,
] extends [never]
  ? unknown
  : { readonly undeclared: Exclude<FieldsOf<Answer>, keyof Fields> }

/** Declares an operation; its effect can only throw declared errors and return declared fields. */
export function operation<
  P extends Params,
  const Names extends ErrorName,
  const Fields extends ReplyFields,
  Answer extends ReplyOf<Fields> | EncodedReply | RedirectReply | TextReply | HeldReply,
>(
  definition: Omit<Operation, 'params' | 'errors' | 'reply' | 'run'> & {
    readonly params: P
    readonly errors: readonly Names[]
    readonly reply: Fields
    run(call: Call<P, Names>): Answer | Promise<Answer>
  } & RefuseUndeclared<Answer, Fields>,
): Operation {
  return definition as Operation
}
