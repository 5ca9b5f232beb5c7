/** What an operation is: its route, its parameters, its errors, the events it emits, who may call it, and its effect. */

import type { Sql } from '../../db/connect.ts'
import type { Differ } from '../../workers/pool/differ.ts'
import type { Imager } from '../../workers/pool/imager.ts'
import type { Committer } from '../actors/committer.ts'
import type { EventQueues } from '../actors/event-queues.ts'
import type { HeldReply } from '../actors/held-reply.ts'
import type { PushTests } from '../actors/push-tests.ts'
import type { Presences } from '../actors/presence.ts'
import type { Readers } from '../actors/readers.ts'
import type { Searches } from '../actors/searches.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Clock } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { LogEventType } from '../domain/events.ts'
import type { FileStore } from '../files/file-store.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type JsonPiece, listPieces } from '../views/json-pieces.ts'
import type { Calls } from './calls/call-tokens.ts'
import type { Visit } from './door.ts'
import type { CommonErrorName, ErrorName, Fail } from '../errors/api-error.ts'
import type { Names } from './names.ts'
import type { Schema, ValueOf } from '../domain/json-schema.ts'
import type { Params, ValuesOf } from './params.ts'
import type { Conversations } from '../actors/conversation.ts'
import type { Channels } from '../actors/channel.ts'
import type { Passwords } from './passwords.ts'
import type { Rendering } from './render.ts'
import type { ArrivedFile, Uploads } from './uploads/uploads.ts'

/** What of it sends messages: as much as a process without clients has, too. */
export type SendServices = Pick<
  Services,
  | 'sql'
  | 'state'
  | 'committer'
  | 'channels'
  | 'conversations'
  | 'clock'
  | 'publicUrl'
  | 'render'
  | 'renderMessage'
>

/** What operations work with. */
export interface Services extends Rendering {
  readonly sql: Sql
  /** The same database, for pages of one channel; see `connect`. */
  readonly pageSql: Sql
  readonly state: OrganizationState
  readonly committer: Committer
  readonly queues: EventQueues
  readonly channels: Channels
  readonly readers: Readers
  readonly searches: Searches
  readonly conversations: Conversations
  readonly seenUsers: SeenUsersRecorder
  readonly presences: Presences
  readonly clock: Clock
  readonly pushTests: PushTests
  /** Whether the operator has set a service that hands push notifications on. */
  readonly hasPushRelay: boolean
  readonly passwords: Passwords
  readonly differ: Differ
  readonly imager: Imager
  readonly names: Names
  /** The bytes of uploads. */
  readonly fileStore: FileStore
  readonly uploads: Uploads
  /** Minutes until an invitation is over of which nothing else is said. */
  readonly invitationMinutes: number
  /** Undefined where the operator has set no provider of video calls. */
  readonly calls: Calls | undefined
  /** The address under which clients reach the server, without a slash at its end. */
  readonly publicUrl: string
  readonly pollHoldSeconds: number
  /** Whether channels may be opened to visitors without an account, where the organization allows it. */
  readonly hasWebPublicChannels: boolean
  /** Whether keys are given without passwords, as is said to clients before they log in. */
  readonly hasDevelopmentLogins: boolean
  /** Told of a failure of what nobody waits for. */
  readonly onError: (error: unknown) => void
}

/** Who calls, and how. */
export interface Caller {
  readonly user: User
  /** The calling program, from its User-Agent. */
  readonly client: string
}

/** What an operation's effect is given. */
export interface Call<P extends Params, Names extends ErrorName> extends Caller {
  readonly params: ValuesOf<P>
  /** The files that came along, as far as the operation takes some: the bytes of each. */
  readonly files: readonly Uint8Array[]
  /** The files of an operation that takes them as they come: they are in the file store, and theirs alone. */
  readonly arrived: ArrivedFiles
  readonly services: Services
  /** Where the request came in. */
  readonly visit: Pick<Visit, 'address' | 'countAccount'>
  /** The hash of the API key that the call came with; of no meaning where anyone may call. */
  readonly keyHash: string
  /** Makes a declared failure, to be thrown. */
  readonly fail: Fail<Names | CommonErrorName>
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/** A reply that is encoded already: a JSON object as text or UTF-8, with `result` and `msg`. */
export class EncodedReply {
  readonly body: string | Buffer

  constructor(body: string | Buffer) {
    this.body = body
  }
}

/** A field of a reply that is encoded already, whatever encodes the rest. */
export class EncodedField {
  /** JSON. */
  readonly pieces: readonly JsonPiece[]

  constructor(pieces: readonly JsonPiece[]) {
    this.pieces = pieces
  }

  /** A list of what is JSON already. */
  static list(items: readonly (readonly JsonPiece[])[]): EncodedField {
    return new EncodedField(listPieces(items))
  }
}

/** The fields of a success, its encoded text, or a promise of it that outlives the call. */
export type Reply = Record<string, unknown> | EncodedReply | HeldReply

/** That an operation takes a file, which comes as a part of a multipart body, whatever the part is called. */
export interface FileRule {
  readonly description: string
  /** Held in memory up to that size, or brought to the file store as it comes, up to what the operator allows. */
  readonly mibMax: number | 'streamed'
}

/** What became of the files of a body that went to the file store. */
export interface ArrivedFiles {
  /** How many there were; no more than two are told apart. */
  readonly count: number
  /** The first, where it came whole and could be kept. */
  readonly first: ArrivedFile | 'too_large' | 'not_kept' | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A field of a success reply; `isOptional` where it is not always there. */
export interface ReplyField {
  readonly schema: Schema
  readonly description: string
  readonly isOptional?: true
}

/** An operation as the table holds it. */
export interface Operation {
  readonly method: Method
  /** Under `/api/v1`; `{name}` stands for the parameter of that name, which is taken from the path. */
  readonly path: string
  readonly summary: string
  /** Paragraphs for the reference. */
  readonly description?: string
  readonly access: 'anyone' | 'user'
  /** Long polls are not counted: they wait rather than work. */
  readonly isUncounted?: true
  /** Log-ins are counted apart, against guessing. */
  readonly isLogin?: true
  /** The parameter with which a call proves its user's password: such calls are counted as log-ins, too. */
  readonly passwordParam?: string
  /** Bots that are incoming webhooks call nothing else. */
  readonly isForWebhooks?: true
  readonly isDeprecated?: true
  /** It refuses every call, for want of what the server does not have yet. */
  readonly isUnavailable?: true
  /** Where it takes a file; how many came it looks at itself. */
  readonly file?: FileRule
  readonly params: Params
  readonly reply: Readonly<Record<string, ReplyField>>
  readonly errors: readonly ErrorName[]
  readonly events: readonly LogEventType[]
  run(call: Call<Params, ErrorName>): Reply | Promise<Reply>
}

export type ReplyFields = Readonly<Record<string, ReplyField>>
type OptionalNames<Fields extends ReplyFields> = {
  [Name in keyof Fields]: Name extends '*'
    ? never
    : Fields[Name] extends { readonly isOptional: true }
      ? Name
      : never
}[keyof Fields]

/** What an operation that declares these fields answers: each as its schema has it, or encoded already. */
export type ReplyOf<Fields extends ReplyFields> = {
  readonly [Name in Exclude<keyof Fields, OptionalNames<Fields> | '*'>]:
    | ValueOf<Fields[Name]['schema']>
    | EncodedField
} & {
  readonly [Name in OptionalNames<Fields>]?: ValueOf<Fields[Name]['schema']> | EncodedField
} & ('*' extends keyof Fields ? Readonly<Record<string, unknown>> : unknown)

type FieldsOf<Answer> = Answer extends EncodedReply | HeldReply ? never : keyof Answer
/** An answer may have no field that is not declared, which the compiler alone does not see in what a function returns. */
export type RefuseUndeclared<Answer, Fields extends ReplyFields> = '*' extends keyof Fields
  ? unknown
  : [Exclude<FieldsOf<Answer>, keyof Fields>] extends [never]
    ? unknown
    : { readonly undeclared: Exclude<FieldsOf<Answer>, keyof Fields> }

/** Declares an operation; its effect can throw only the failures, and answer only the fields, that it declares. */
export function operation<
  P extends Params,
  const Names extends ErrorName,
  const Fields extends ReplyFields,
  Answer extends ReplyOf<Fields> | EncodedReply | HeldReply,
>(
  definition: Omit<Operation, 'params' | 'errors' | 'reply' | 'run'> & {
    readonly params: P
    readonly errors: readonly Names[]
    readonly reply: Fields
    run(call: Call<P, Names>): Answer | Promise<Answer>
  } & RefuseUndeclared<Answer, Fields>,
): Operation {
  return definition as unknown as Operation
}
