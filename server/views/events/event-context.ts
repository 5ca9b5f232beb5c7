/** The form of the tables of event views. */

import type { ShownType, TypeShownAs } from '../../domain/event-traits.ts'
import type { EventOf, LogEvent } from '../../domain/events.ts'
import type { ChannelId, EventId, UserId } from '../../domain/ids.ts'
import type { UserSet } from '../../domain/users/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { EventViewOptions } from '../event-view-options.ts'
import { describe, oneOf, record, type Schema, type ValueOf } from '../../domain/json-schema.ts'

/** The differences between two recipients of one event in the same form. */
export interface RecipientView {
  readonly userId: UserId
  /** The sum of the message's flags. */
  readonly flags: number
  /** The sender's own mark of the message, for the queue that sent it. */
  readonly localId: string | null
}

/** The input of a view: the state as it is now, and older data that the view needs. */
export interface EventContext {
  readonly id: EventId
  readonly state: OrganizationState
  readonly nowSeconds: number
  readonly options: EventViewOptions
  readonly recipient: RecipientView
  /** Subscribers, as of the event, of the channels that it reveals. */
  readonly subscribersAtEvent: ReadonlyMap<ChannelId, UserSet> | undefined
}

/** Types of frequent events: their JSON text is assembled from parts. */
type EncodedType = 'message' | 'presence'

/** The schema for clients of each type of a family, without the event's id; the compiler asks for each. */
export type EventSchemas<Family extends LogEvent> = {
  readonly [Type in Family['type'] & ShownType]: Schema<object>
}

/** For each type of a family the function that makes an object of that schema. */
export type EventViews<Family extends LogEvent, Schemas extends EventSchemas<Family>> = {
  readonly [Type in Exclude<Family['type'] & ShownType, EncodedType>]: (
    event: EventOf<TypeShownAs<Type>, Family>,
    context: EventContext,
  ) => ValueOf<Schemas[Type & keyof Schemas]>
}

type Fields = Readonly<Record<string, Schema>>

/** The schema of an event with this `type` and these fields. */
export function eventOf<
  const Type extends string,
  const Required extends Fields,
  const Optional extends Fields = {},
>(type: Type, description: string, required: Required, optional: Optional = {} as Optional) {
  return describe(record({ type: oneOf(type), ...required }, optional), description)
}

type BeforeSlash<Text> = Text extends `${infer Type}/${string}` ? Type : never
type AfterSlash<Text> = Text extends `${string}/${infer Op}` ? Op : never

/** The same of an event with an `op`, as `type/op`. */
export function opEventOf<
  const Kind extends `${string}/${string}`,
  const Required extends Fields,
  const Optional extends Fields = {},
>(kind: Kind, description: string, required: Required, optional: Optional = {} as Optional) {
  const [type, op] = kind.split('/') as [BeforeSlash<Kind>, AfterSlash<Kind>]
  return describe(record({ type: oneOf(type), op: oneOf(op), ...required }, optional), description)
}
