/** Pins messages and topics of channels, once each: a pin that was removed here since stays removed. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { answering } from '../../decisions/decision.ts'
import { isSameTarget, type PinTarget } from '../../domain/channels/pins.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { PINS_PER_CHANNEL_MAX } from '../../domain/limits.ts'
import type { ImportedChannels } from './load-channels.ts'
import type { Loading } from './loading.ts'
import { parseForeignTopic } from './topic-names.ts'

/** A pinned message: its key, and the channel. */
export interface PinnedMessage {
  readonly channelId: ChannelId
  readonly key: ImportKey
  readonly label: string
  readonly sentAt: number
}

/** A pin to make. */
interface WantedPin {
  readonly key: ImportKey
  readonly channelId: ChannelId
  readonly label: string
  /** The key of its message, or its topic. */
  readonly target: { readonly message: ImportKey } | { readonly topic: string }
  readonly userId: UserId
  readonly pinnedAt: number
}

/** Makes the pins that no earlier run has made, the newest if there are too many. */
export async function loadPins(
  loading: Loading,
  channels: ImportedChannels,
  pinned: readonly PinnedMessage[],
): Promise<void> {
  const { source, target } = loading
  const ofMessages = pinned.map(
    ({ key, sentAt, ...place }): WantedPin => ({
      ...place,
      key: importKey(source.origin, 'pin', key),
      target: { message: key },
      userId: target.owner.id,
      pinnedAt: sentAt,
    }),
  )
  const wanted = [...ofMessages, ...findPins(loading, channels)]
  for (const [channelId, all] of Map.groupBy(wanted, (one) => one.channelId))
    await pinInChannel(loading, channelId, all)
}

/** The pins of channels whose product has more of them than their messages. */
function findPins({ source, target, people }: Loading, channels: ImportedChannels): WantedPin[] {
  return [...source.lists.channels.values()].flatMap(({ id, label, pins = [] }) => {
    const channelId = channels.find(id)
    if (channelId === undefined) return []
    return pins.map(({ message, topic = '', user, pinnedAt }): WantedPin => {
      const key = message === undefined ? undefined : importKey(source.origin, 'message', id, message)
      return {
        key: key ? importKey(source.origin, 'pin', key) : importKey(source.origin, 'pinned topic', id, topic),
        channelId,
        label,
        target: key ? { message: key } : { topic: parseForeignTopic(topic) },
        userId: (user === undefined ? undefined : people.find(user)) ?? target.owner.id,
        pinnedAt: Math.floor(pinnedAt ?? target.now),
      }
    })
  })
}

async function pinInChannel({ target, report }: Loading, channelId: ChannelId, all: readonly WantedPin[]) {
  const done = await findImported(
    target.sql,
    all.map(({ key }) => key),
  )
  const messages = await findImported(
    target.sql,
    all.flatMap((one) => ('message' in one.target ? [one.target.message] : [])),
  )
  const targetOf = (one: WantedPin): PinTarget | undefined => {
    if ('topic' in one.target) return { messageId: null, topic: one.target.topic }
    const messageId = messages.get(one.target.message)
    return messageId === undefined ? undefined : { messageId: messageId as MessageId, topic: null }
  }
  const room = PINS_PER_CHANNEL_MAX - target.state.getChannel(channelId).pins.length
  const wanted = all.filter((one) => !done.has(one.key) && targetOf(one))
  for (const { label, pinnedAt } of wanted.slice(0, Math.max(wanted.length - room, 0)))
    report.lose({ place: label, reason: `a pin beyond ${PINS_PER_CHANNEL_MAX}`, example: String(pinnedAt) })
  for (const one of room > 0 ? wanted.slice(-room) : [])
    await target.change(
      ({ state, now }) => {
        const { subscribers, pins } = state.getChannel(channelId)
        const { userId, pinnedAt } = one
        const there = targetOf(one)
        if (!there || pins.some((pin) => isSameTarget(pin, there))) return answering(undefined, [])
        const pin = { ...there, userId, pinnedAt: Math.min(pinnedAt, now), receivers: subscribers.encode() }
        return answering(undefined, [{ type: 'channel_pins/add', channelId, pin }])
      },
      () => [[one.key, 0]],
    )
}
