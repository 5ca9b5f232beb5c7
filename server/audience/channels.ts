/** Recipients of facts about channels. */

import { changeChannel, shownChangesOf } from '../domain/channels/change-channel.ts'
import type { Channel } from '../domain/entities.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import { ARCHIVED_ONLY, byRecipients, UNARCHIVED_ONLY } from './channel-clients.ts'
import { notifyVisibility, reveal } from './channel-visibility.ts'
import { noticeTo, type Notifier, toUsers } from './notifier.ts'

type Created = EventOf<'stream/create'>
type Updated = EventOf<'stream/update'>

/** New channels that the same users see share an event. */
export const notifyNewChannels: Notifier<Created> = (facts, change) =>
  facts.flatMap((fact) => {
    const created = fact.channels.map((channel) => ({ channel, users: change.observersAfter(channel.id) }))
    const groups = byRecipients(created)
    return groups.map(({ channels, users }) => {
      return { event: groups.length === 1 ? fact : { ...fact, channels }, audience: toUsers(users) }
    })
  })

/**
 * Users who see a channel before and after get each of its changes; for the others it appears or disappears as a whole.
 * The same holds for clients that do not know archived channels when a channel is archived or unarchived.
 */
export const notifyChannelUpdates: Notifier<Updated> = (facts, change) =>
  [...Map.groupBy(facts, ({ channelId }) => channelId)].flatMap(([id, updates]) => {
    const before = change.before.getChannel(id).channel
    const after = change.after.getChannel(id).channel
    const staying = change.observersBefore(id).intersection(change.observersAfter(id))
    const clients = before.isArchived || after.isArchived ? ARCHIVED_ONLY : {}
    return [
      ...withShown(before, updates).map((event) => ({
        event: { ...event, ...clients },
        audience: toUsers(staying),
      })),
      ...notifyVisibility(change, [id]),
      ...(before.isArchived && !after.isArchived ? reveal(change, [after], staying, UNARCHIVED_ONLY) : []),
      ...(!before.isArchived && after.isArchived
        ? noticeTo(staying, { type: 'stream/delete', channelIds: [id], ...UNARCHIVED_ONLY })
        : []),
    ]
  })

/** Each change, with what older clients see change. */
function withShown(before: Channel, updates: readonly Updated[]): NewEvent['event'][] {
  let channel = before
  return updates.flatMap((update) => {
    const { channelId, name, change } = update
    const shown = shownChangesOf(channel, change)
    channel = changeChannel(channel, change)
    return [
      update,
      ...shown.map((one) => ({ type: 'stream/update_shown', channelId, name, change: one }) as const),
    ]
  })
}

/** Guests see neither default channels nor groups of them. */
export const notifyDefaults: Notifier<EventOf<'default_streams' | 'default_stream_groups'>> = (
  facts,
  { before },
) => facts.map((event) => ({ event, audience: toUsers(before.rights.activeMembers) }))
