/** Notices of the pins in channels, for the subscribers who see them. */

import { type ShownPin, showPin } from '../domain/channels/pins.ts'
import type { NewEvent } from '../domain/events.ts'
import type { PinFact } from '../domain/events/pins.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { ChannelState } from '../state/channel-state.ts'
import { type Clients, clientsOf } from './channel-clients.ts'
import { NOBODY, noticeTo, type Notifier } from './notifier.ts'
import type { StateChange } from './state-change.ts'

/** Each change comes as the whole list, which is short, to the subscribers who see another one then. */
export const notifyPins: Notifier<PinFact> = (facts, change) => [
  ...facts.map((event) => ({ event, audience: NOBODY })),
  ...[...new Set(facts.map(({ channelId }) => channelId))].flatMap((id) => changedPins(change, id)),
]

/** New subscribers, and the subscribers of a channel whose history is shared or protected now. */
export function notifySeenPins(change: StateChange): readonly NewEvent[] {
  return change.facts.flatMap((fact) => {
    if (fact.type === 'subscription/add')
      return fact.channels.flatMap(({ id }) => {
        const channel = change.before.channels.get(id)
        if (!channel || channel.pins.length === 0) return []
        return pinsFor(change.after.getChannel(id), UserSet.of(fact.userIds).intersection(change.staying))
      })
    if (fact.type !== 'stream/update' || fact.change.kind !== 'privacy') return []
    const { channel, pins } = change.before.getChannel(fact.channelId)
    const isSame = pins.length === 0 || channel.isHistoryPublic === fact.change.isHistoryPublic
    return isSame ? [] : changedPins(change, fact.channelId)
  })
}

/** The notices for users who had no pins of the channel before. */
export function pinsFor(channel: ChannelState, users: UserSet, clients?: Clients): NewEvent[] {
  return pinsChanged(channel, users, () => NO_PINS, clients)
}

function changedPins({ before, after, staying }: StateChange, id: ChannelId): NewEvent[] {
  const users = after.getChannel(id).subscribers.intersection(staying)
  return pinsChanged(after.getChannel(id), users, listsOf(before.getChannel(id)))
}

/** The list of each user as text: users with the same one share a notice. */
type Lists = (userId: UserId) => string

const NO_PINS = '[]'

/** Users who saw the same before get no notice: it would say that there is something that they do not see. */
function pinsChanged(
  channel: ChannelState,
  users: UserSet,
  before: Lists,
  clients: Clients = clientsOf(channel.channel),
): NewEvent[] {
  const { id: channelId } = channel.channel
  const now = listsOf(channel)
  const groups = Map.groupBy(users, (userId) => (now(userId) === before(userId) ? undefined : now(userId)))
  return [...groups].flatMap(([text, userIds]) => {
    if (text === undefined) return []
    const pins = JSON.parse(text) as readonly ShownPin[]
    return noticeTo(UserSet.of(userIds), { type: 'channel_pins', channelId, pins, ...clients })
  })
}

function listsOf({ channel, pins }: ChannelState): Lists {
  if (channel.isHistoryPublic) {
    const text = JSON.stringify(pins.map(showPin))
    return () => text
  }
  const seen = pins.map((pin) => ({ shown: showPin(pin), receivers: UserSet.decode(pin.receivers) }))
  return (userId) =>
    JSON.stringify(seen.filter(({ receivers }) => receivers.has(userId)).map(({ shown }) => shown))
}
