/** Finds the outgoing webhooks that a message calls: bots that it mentions, or to which it is sent. */

import { BOT_TYPES } from '../../domain/entities.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { UserId } from '../../domain/ids.ts'
import { MESSAGE_FLAGS } from '../../domain/messages/message-flags.ts'
import type { PendingNotification } from '../../domain/personal/pending-notifications.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

type CallingMessage = Pick<MessageSent, 'channelId' | 'userIds' | 'senderId' | 'mentions'>

const NO_CALLS: readonly PendingNotification[] = []
const NO_IDS: readonly UserId[] = []

/**
 * The calls of a message. Messages of bots call none, so that no two bots keep each other talking. A bot that does not get
 * the message may still be named in it: the worker checks that the bot may read it.
 *
 * @param namedIds the users whom the text of a message in a channel names.
 */
export function findCalls(
  state: OrganizationState,
  { channelId, userIds, senderId, mentions }: CallingMessage,
  namedIds: readonly UserId[],
): readonly PendingNotification[] {
  const isDirect = channelId === null
  const calledIds = isDirect ? (userIds ?? NO_IDS) : [...namedIds, ...mentionedIn(mentions)]
  if (calledIds.length === 0 || state.getUser(senderId).botType !== null) return NO_CALLS
  return [...new Set(calledIds)]
    .filter((id) => isCallable(state, id) && (isDirect || mayKnow(state, id, channelId)))
    .map((userId) => ({
      way: 'webhook',
      userId,
      trigger: isDirect ? 'direct_message' : 'mention',
      groupId: null,
      delaySeconds: 0,
    }))
}

function mentionedIn(mentions: MessageSent['mentions']): readonly UserId[] {
  if (mentions === undefined) return NO_IDS
  return mentions.filter(([, flags]) => (flags & MESSAGE_FLAGS.mentioned) !== 0).map(([id]) => id)
}

function isCallable(state: OrganizationState, id: UserId): boolean {
  if (!state.bots.has(id)) return false
  const { isActive, botType } = state.getUser(id)
  return isActive && botType === BOT_TYPES.outgoingWebhook && state.botSetupOf(id).service !== null
}

/** Whether a bot knows the channel at all. */
function mayKnow(state: OrganizationState, id: UserId, channelId: NonNullable<MessageSent['channelId']>) {
  return state.findVisibleChannel(state.getUser(id), channelId) !== undefined
}
