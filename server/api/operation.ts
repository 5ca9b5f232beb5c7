/** What an operation is: its route, its parameters, its errors, the events it emits, who may call it, and its effect. */

import type { HeldReply } from '../actors/held-reply.ts'
import type { User } from '../domain/entities.ts'
import type { LogEventType } from '../domain/events.ts'
import type { Schema, ValueOf } from '../domain/json-schema.ts'
import type { CommonErrorName, ErrorName, Fail } from '../errors/api-error.ts'
import { type JsonPiece, listPieces } from '../views/json-pieces.ts'
import type { Visit } from './door.ts'
import type { Params, ValuesOf } from './params.ts'
import type { Services } from './services.ts'
import type { ArrivedFile } from '../changes/uploads/uploads.ts'

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
