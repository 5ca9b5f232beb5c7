/**
 * The replies and events of the API as tests read them, from the types of the client package.
 *
 * A test asks for one variant of an object, and asserts that it came. So the fields of all variants are there, optional
 * ones too, and lists are as long as the test expects: a wrong expectation fails when it runs. A field that no operation
 * and no event declares does not compile.
 */

import type { Event, InitialState, Message, Operations } from '../../../packages/client/src/index.ts'

type Keys<T> = T extends object ? keyof T : never
type FieldOf<T, Name extends PropertyKey> = T extends { [Key in Name]?: infer Value } ? Value : never
type Item<T> = T extends readonly (infer One)[] ? One : never
type Plain<T> = Exclude<T, object>
type Lists<T> = Extract<T, readonly unknown[]>
type Objects<T> = Exclude<Extract<T, object>, readonly unknown[]>

/** A list with the elements that a test asks for. */
export interface List<T> extends Array<T> {
  0: T
  1: T
  2: T
  3: T
  4: T
  5: T
  6: T
  7: T
  at(index: number): T
  slice(start?: number, end?: number): List<T>
  toReversed(): List<T>
  find<Some extends T>(test: (one: T, index: number, all: T[]) => one is Some): Some
  find(test: (one: T, index: number, all: T[]) => unknown): T
  filter<Some extends T>(test: (one: T, index: number, all: T[]) => one is Some): List<Some>
  filter(test: (one: T, index: number, all: T[]) => unknown): List<T>
  map<Made>(make: (one: T, index: number, all: T[]) => Made): List<Made>
}

/** A value of the API with the fields of all its variants. */
export type Read<T> =
  | Plain<T>
  | ([Lists<T>] extends [never] ? never : List<Read<Item<Lists<T>>>>)
  | ([Objects<T>] extends [never]
      ? never
      : { [Name in Keys<Objects<T>>]: Read<Exclude<FieldOf<Objects<T>, Name>, undefined>> })

/** An event of any type. */
export type WireEvent = Read<Event>
/** The state of a registration, with all parts that it may ask for. */
export type WireState = Read<InitialState>

/** The people of a direct message. */
export type Recipients = Exclude<Read<Message>['display_recipient'], string>

/** The fields of each reply. */
export type Envelope = {
  readonly result: 'success' | 'error'
  readonly msg: string
  readonly ignored_parameters_unsupported: readonly string[]
}

/** The fields of a refusal. */
export type Refusal = Envelope & {
  readonly code: string
  readonly 'retry-after': number
}

/** An object whose fields a test looks up by computed names. */
export type Named = Readonly<Record<string, unknown>>

/** Ids and email addresses in a path, as in `/users/9` and `/users/{user_id}`, become `{}`. */
type Pattern<Path extends string> = Path extends `${infer Asked}?${string}`
  ? Pattern<Asked>
  : Path extends `${infer Method} /json/${infer Rest}`
    ? Pattern<`${Method} /${Rest}`>
    : Path extends `${infer Head}/${infer Rest}`
      ? `${Segment<Head>}/${Pattern<Rest>}`
      : Segment<Path>
type Segment<Text extends string> = string extends Text
  ? '{}'
  : Text extends `{${string}}` | `${number}` | `${string}@${string}`
    ? '{}'
    : Text
type Replies = { [Name in keyof Operations as Pattern<Name>]: Operations[Name]['reply'] }

/** The reply of the operation with this method and path; that of an unknown operation has unknown fields. */
export type ReplyAt<Method extends string, Path extends string> = Envelope &
  ([Pattern<`${Method} ${Path}`>] extends [keyof Replies]
    ? Read<Replies[Pattern<`${Method} ${Path}`>]>
    : Record<string, unknown>)
