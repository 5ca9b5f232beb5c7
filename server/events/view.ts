/** The forms of events for clients: a schema, and the JSON text of an event. */

import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import { describe, oneOf, type Schema } from '../domain/json-schema.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { EventViewOptions } from '../views/event-view-options.ts'

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
  /** The name of a message's channel at the time of the event. */
  readonly channelNameAtEvent: string | undefined
}

/** The form of a type of event. */
export interface View<Event> {
  /** Its type for clients, or `type/op`, if that is not the event's own. */
  readonly kind?: string
  /** Without the event's id. */
  readonly schemaOf: (kind: string) => Schema<object>
  /** The event as JSON text; `head` is the text of its type and op. */
  readonly encode: (event: Event, context: EventContext, head: string) => string
}

/** A form with the type of its event. `fields` describes what `view` makes: everything but the id, the type and the op. */
export function shown<Event, Fields extends object>(
  description: string,
  fields: Schema<Fields>,
  view: (event: Event, context: EventContext) => NoInfer<Fields>,
): View<Event> {
  return {
    schemaOf: (kind) => eventSchema(kind, description, fields),
    encode(event, context, head) {
      const text = JSON.stringify(view(event, context))
      // The head is put before the fields as text, since copying the view is slower.
      return `{"id":${context.id},${head}${text === '{}' ? '}' : `,${text.slice(1)}`}`
    },
  }
}

/** The same with another type. */
export function shownAs<Event, Fields extends object>(
  kind: string,
  ...form: Parameters<typeof shown<Event, Fields>>
): View<Event> {
  return { ...shown(...form), kind }
}

/** A form whose type or op depends on the event or on its recipient: `view` makes everything but the id. */
export function shownWhole<Event, Whole extends object>(
  schema: Schema<Whole>,
  view: (event: Event, context: EventContext) => NoInfer<Whole>,
): View<Event> {
  return {
    schemaOf: () => schema,
    encode: (event, context) => `{"id":${context.id},${JSON.stringify(view(event, context)).slice(1)}`,
  }
}

/** The text of a type and op in an event. */
export function headOf(kind: string): string {
  const [type, op] = kind.split('/')
  return `"type":"${type}"${op === undefined ? '' : `,"op":"${op}"`}`
}

type BeforeSlash<Text> = Text extends `${infer Type}/${string}` ? Type : Text
type Head<Kind> = { readonly type: BeforeSlash<Kind> } & (Kind extends `${string}/${infer Op}`
  ? { readonly op: Op }
  : unknown)

/** The schema of an event with this type, or `type/op`, and these fields. */
export function eventSchema<const Kind extends string, Fields extends object>(
  kind: Kind,
  description: string,
  fields: Schema<Fields>,
): Schema<Head<Kind> & Fields> {
  const [type, op] = kind.split('/') as [string, string?]
  const head = { type: oneOf(type), ...(op === undefined ? {} : { op: oneOf(op) }) }
  const whole: Schema = {
    ...fields,
    properties: { ...head, ...(fields.properties as object) },
    required: [...Object.keys(head), ...(fields.required as readonly string[])],
  }
  return describe(whole as Schema<Head<Kind> & Fields>, description)
}
