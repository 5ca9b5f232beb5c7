/** How events are seen: what each family's table of views is made of. */

import type { ShownType, TypeShownAs } from '../../domain/event-traits.ts'
import type { EventOf, LogEvent } from '../../domain/events.ts'
import type { ChannelId, EventId, UserId } from '../../domain/ids.ts'
import type { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { EventViewOptions } from '../event-view-options.ts'
import { describe, oneOf, record, type Schema, type ValueOf } from '../../domain/json-schema.ts'

/** What differs between two recipients of one event in the same form. */
export interface RecipientView {
  readonly userId: UserId
  /** The message's flags, as their sum. */
  readonly flags: number
  /** The sender's own mark of the message, for the queue that sent it. */
  readonly localId: string | null
}

/** What an event is seen with: the state as it is, and what of it must be told as it was then. */
export interface EventContext {
  readonly id: EventId
  readonly state: OrganizationState
  readonly nowSeconds: number
  readonly options: EventViewOptions
  readonly recipient: RecipientView
  /** Who was subscribed to the channels that the event reveals. */
  readonly subscribersAtEvent: ReadonlyMap<ChannelId, UserSet> | undefined
}

/** Kinds of which so much is told that their text is put together of pieces. */
type EncodedType = 'message' | 'presence'

/** For each kind of a family the form that clients get, but for the event's id; the compiler misses none. */
export type EventSchemas<Family extends LogEvent> = {
  readonly [Type in Family['type'] & ShownType]: Schema<object>
}

/** For each kind of a family the function that makes that form. */
export type EventViews<Family extends LogEvent, Schemas extends EventSchemas<Family>> = {
  readonly [Type in Exclude<Family['type'] & ShownType, EncodedType>]: (
    event: EventOf<TypeShownAs<Type>, Family>,
    context: EventContext,
  ) => ValueOf<Schemas[Type & keyof Schemas]>
}

type Fields = Readonly<Record<string, Schema>>

/** The form of an event with this `type` and these fields. */
export function eventOf<
  const Type extends string,
  const Required extends Fields,
  const Optional extends Fields = {},
>(type: Type, description: string, required: Required, optional: Optional = {} as Optional) {
  return describe(record({ type: oneOf(type), ...required }, optional), description)
}

/** The same of an event with an `op`. */
export function opEventOf<
  const Type extends string,
  const Op extends string,
  const Required extends Fields,
  const Optional extends Fields = {},
>(type: Type, op: Op, description: string, required: Required, optional: Optional = {} as Optional) {
  return describe(record({ type: oneOf(type), op: oneOf(op), ...required }, optional), description)
}
