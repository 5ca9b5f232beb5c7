/** Who is notified of what happens to channels. */

import { changeChannel, shownChangesOf } from '../domain/change-channel.ts'
import type { Channel } from '../domain/entities.ts'
import type { Fact } from '../domain/event-traits.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { ChannelEvent } from '../domain/events/channels.ts'
import { UserSet } from '../domain/user-set.ts'
import { everyone, type Notifier, type Notifiers, toUsers } from './notifier.ts'
import { SUBSCRIPTION_NOTIFIERS } from './subscriptions.ts'
import { ARCHIVED_ONLY, reveal, tellVisibility, UNARCHIVED_ONLY } from './tell-visibility.ts'

type Created = EventOf<'stream/create'>
type Updated = EventOf<'stream/update'>

/** New channels that the same users see share an event. */
const notifyCreated: Notifier<Created> = (facts, change) =>
  facts.flatMap((fact) => {
    const groups = Map.groupBy(fact.channels, ({ id }) => change.observersAfter(id).encode())
    return [...groups].map(([observers, channels]) => ({
      event: groups.size === 1 ? fact : { ...fact, channels },
      audience: toUsers(UserSet.decode(observers)),
    }))
  })

/**
 * Users who see a channel before and after get each of its changes; the others see it come or go as a whole. To clients
 * that know no archived channels it does so too when it is archived or unarchived.
 */
const notifyUpdated: Notifier<Updated> = (facts, change) =>
  [...Map.groupBy(facts, ({ channelId }) => channelId)].flatMap(([channelId, updates]) => {
    const { before, after } = change
    const [old, now] = [before.getChannel(channelId), after.getChannel(channelId)]
    const [wasArchived, isArchived] = [old.channel.isArchived, now.channel.isArchived]
    const staying = change.observersBefore(channelId).intersection(change.observersAfter(channelId))
    const audience = toUsers(staying)
    const clients = wasArchived || isArchived ? ARCHIVED_ONLY : {}
    const entries = tellUpdates(old.channel, updates).map((event) => ({
      event: { ...event, ...clients },
      audience,
    }))
    entries.push(...tellVisibility([{ before: old, after: now }], before.rights, after.rights))
    if (wasArchived && !isArchived) entries.push(...reveal([now], staying, after.rights, UNARCHIVED_ONLY))
    if (!wasArchived && isArchived)
      entries.push({
        event: { type: 'stream/delete', channelIds: [channelId], ...UNARCHIVED_ONLY },
        audience,
      })
    return entries
  })

/** Each change, and what older clients see change with it. */
function tellUpdates(before: Channel, updates: readonly Updated[]): NewEvent['event'][] {
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

/** Guests do not see the default channels. */
const notifyDefaults: Notifier<EventOf<'default_streams'>> = (facts, { before }) =>
  facts.map((event) => ({ event, audience: toUsers(before.rights.activeMembers) }))

export const CHANNEL_NOTIFIERS: Notifiers<Extract<ChannelEvent, Fact>> = {
  ...SUBSCRIPTION_NOTIFIERS,
  'stream/create': notifyCreated,
  'stream/update': notifyUpdated,
  default_streams: notifyDefaults,
  'channel_folder/add': everyone,
  'channel_folder/update': everyone,
  'channel_folder/reorder': everyone,
}
