/** Makes users follow or unmute the topics in which they take part, after the change by which they do so is committed. */

import {
  decideFollowing,
  findMentionedFollowers,
  followsByTakingPart,
} from '../../decisions/topics/follow-topics.ts'
import type { Destination, TopicVisibility, User } from '../../domain/entities.ts'
import type { Mention } from '../../domain/message-flags.ts'
import type { Sending } from '../sending.ts'
import { submit } from '../submit.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>

/**
 * Follows or unmutes the topic of a message that was sent, for its sender and for the users whom it mentions by name,
 * where they have asked for that; answers the new treatment of the topic by the sender.
 */
export async function followBySending(
  { channelId, topic }: Omit<InChannel, 'kind'>,
  sender: User,
  { isStart, mentions }: { readonly isStart: boolean; readonly mentions: readonly Mention[] },
  services: Sending,
): Promise<TopicVisibility | undefined> {
  const { state } = services
  const followerIds = findMentionedFollowers(state, mentions)
  if (followerIds.length === 0 && !followsByTakingPart(state.settingsOf(sender.id))) return undefined
  const participation = isStart ? 'starts' : 'sends'
  return submit(services, sender.id, decideFollowing, { channelId, topic, participation, followerIds })
}

/** Follows or unmutes the topic of a message to which a user reacted, or in whose widget they took part, likewise. */
export async function followByReacting(
  destination: Destination,
  user: User,
  services: Sending,
): Promise<void> {
  if (destination.kind === 'direct' || !followsByTakingPart(services.state.settingsOf(user.id))) return
  const { channelId, topic } = destination
  await submit(services, user.id, decideFollowing, {
    channelId,
    topic,
    participation: 'reacts',
    followerIds: [],
  })
}
