/** The notices that tell in topics where messages came from, where they went, and that a topic is resolved. */

import type { MovePlan } from '../../../db/message-moves.ts'
import type { Destination, Message, User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findResolution } from '../../domain/topics.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Sending } from '../sending.ts'
import { linkTopic, mentionUser } from '../../decisions/notice-wording.ts'
import { findResolutionReaders } from '../../decisions/messages/resolution-readers.ts'
import { postNotice } from './send-notice.ts'

/** A move that was made. */
export interface Moved extends MovePlan {
  readonly topic: string
  readonly channelId: ChannelId
}

/** In which topics it is to be told. */
export interface ToldTopics {
  readonly old: boolean
  readonly new: boolean
}

type InChannel = Extract<Destination, { kind: 'channel' }>

/** Tells of a move, or that the topic is resolved; to the one who did it that is no news. */
export async function tellOfMove(
  services: Sending,
  actor: User,
  { id, destination }: Message,
  moved: Moved,
  told: ToldTopics,
): Promise<void> {
  if (destination.kind === 'direct') return
  const { channelId, topic } = moved
  const who = mentionUser(actor)
  const resolution = channelId === destination.channelId && findResolution(destination.topic, topic)
  if (resolution) {
    const content = `${who} has marked this topic as ${resolution}.`
    return postNotice(services, actor.id, channelId, topic, content, (state) =>
      findResolutionReaders(state, channelId, topic),
    )
  }
  const count = moved.messages.length
  const now: InChannel = { kind: 'channel', channelId, topic }
  if (told.new) {
    const what = describeMoved(moved, `[A message](/#narrow/channel/${channelId}/near/${id})`)
    const from = describePlace(destination, now, services.state)
    await postNotice(services, actor.id, channelId, topic, `${what} moved here from ${from} by ${who}.`)
  }
  if (told.old) {
    const to = describePlace(now, destination, services.state)
    const what = moved.isWhole
      ? 'This topic was moved'
      : `${count === 1 ? 'A message was' : `${count} messages were`} moved from this topic`
    await postNotice(
      services,
      actor.id,
      destination.channelId,
      destination.topic,
      `${what} to ${to} by ${who}.`,
    )
  }
}

function describeMoved({ isWhole, messages }: Moved, one: string): string {
  if (isWhole) return 'This topic was'
  return messages.length === 1 ? `${one} was` : `${messages.length} messages were`
}

/** A topic, unless those who read of it may not know of its channel. */
function describePlace(place: InChannel, readBy: InChannel, state: OrganizationState): string {
  const { channel } = state.getChannel(place.channelId)
  if (channel.isPrivate && place.channelId !== readBy.channelId) return 'another channel'
  return linkTopic(channel, place.topic)
}
