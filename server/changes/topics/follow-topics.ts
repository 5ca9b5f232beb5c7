/** Makes users follow or unmute topics that they take part in, after the change that does so is committed. */

import {
  decideFollowing,
  findMentionedFollowers,
  followsByTakingPart,
} from '../../decisions/topics/follow-topics.ts'
import type { Destination, TopicVisibility, User } from '../../domain/entities.ts'
import type { Mention } from '../../domain/messages/message-flags.ts'
import type { Sending } from '../sending.ts'
import { submit } from '../submit.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>

/**
 * Follows or unmutes the topic of a sent message, for its sender and for users whom it mentions by name, if their
 * settings say so; answers the sender's new policy for the topic.
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

/** The same for a user who reacted to a message or took part in its widget. */
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
