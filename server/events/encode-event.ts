/** Encodes events for clients: JSON text, one variant for each form that clients choose. */

import type { Fact, LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { EventViewOptions } from '../views/event-view-options.ts'
import { entryOf, EVENTS } from './table.ts'
import { headOf, type RecipientView, type View } from './view.ts'

/** The text of each event's type and op for clients. */
const HEADS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EVENTS).map(([type, { view }]) => [type, headOf(view?.kind ?? type)]),
)

/** The type of an event on the wire; undefined if no client gets it. */
export function wireType(event: LogEvent): string | undefined {
  return entryOf(event)?.view ? event.type.split('/', 1)[0] : undefined
}

/** A log entry with the past state that its form needs: the subscribers of the channels that it reveals. */
export interface ViewedEntry extends LogEntry {
  readonly subscribersAtEvent?: ReadonlyMap<ChannelId, UserSet> | undefined
  /** The name of a message's channel at the time of the event. */
  readonly channelNameAtEvent?: string | undefined
}

/** A recipient, and the form in which they get events. */
export interface EventReader extends RecipientView {
  readonly options: EventViewOptions
}

/** The event as JSON text. */
export function encodeEvent(
  { id, event, subscribersAtEvent, channelNameAtEvent }: ViewedEntry,
  state: OrganizationState,
  nowSeconds: number,
  recipient: EventReader,
): string {
  const { options } = recipient
  const view = entryOf(event)?.view as View<Fact> | null | undefined
  if (!view) throw new Error(`no client gets ${event.type}`)
  const context = { id, state, nowSeconds, options, recipient, subscribersAtEvent, channelNameAtEvent }
  return view.encode(event as Fact, context, HEADS[event.type] as string)
}
