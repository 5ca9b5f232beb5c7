/** The events that the actors of the matrix receive. */

import type { Client, Queue } from '../harness/client/client.ts'
import type { Cast } from './channel-actions.ts'
import { type Actor, type Case, GRANTS } from './channel-rules.ts'
import type { WireEvent } from '../harness/client/wire-types.ts'

/** A queue for all channel events. */
export function registerListener(client: Client): Promise<Queue> {
  return client.register({
    event_types: ['stream', 'subscription', 'message'],
    fetch_event_types: [],
    client_capabilities: { archived_channels: true, notification_settings_null: true },
  })
}

/** All waiting events of a queue. */
export async function readAllEvents(client: Client, queue: Queue) {
  const events: WireEvent[] = []
  for (;;) {
    const page = await client.events(queue)
    if (page.length === 0) return events
    for (const event of page) events.push(event)
  }
}

/**
 * A case for another actor: they were never in its channels, and permissions held by name are those of the
 * first one.
 */
export function asSeenBy(actor: Actor, one: Case): Case {
  if (actor === one.actor) return one
  const grants = { ...one.kind.grants }
  for (const grant of GRANTS) if (grants[grant] === 'self') grants[grant] = 'nobody'
  return { actor, standing: 'never subscribed', kind: { ...one.kind, grants } }
}

/** Ids of channels, by kind of event. */
export interface SeenChannels {
  readonly recruited: number[]
  readonly removed: number[]
  readonly described: number[]
  readonly messages: number[]
  /** All channels in any event. */
  readonly named: number[]
}

/** Sorts events by kind. */
export function readSeenChannels(events: readonly WireEvent[], { recruit, victim }: Cast): SeenChannels {
  const seen: SeenChannels = { recruited: [], removed: [], described: [], messages: [], named: [] }
  for (const event of events) {
    const ids = namedIn(event)
    seen.named.push(...ids)
    if (event.type === 'message') seen.messages.push(...ids)
    if (event.op === 'peer_add' && event.user_ids.includes(recruit)) seen.recruited.push(...ids)
    if (event.op === 'peer_remove' && event.user_ids.includes(victim)) seen.removed.push(...ids)
    if (event.type === 'stream' && event.property === 'description') seen.described.push(...ids)
  }
  return seen
}

function namedIn(event: WireEvent): number[] {
  const listed = [...(event.streams ?? []), ...(event.subscriptions ?? [])]
  return [
    event.stream_id,
    event.message?.stream_id,
    ...(event.stream_ids ?? []),
    ...listed.map(({ stream_id }: { stream_id: number }) => stream_id),
  ].filter((id) => id !== undefined)
}
