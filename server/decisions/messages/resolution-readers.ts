/** The users who get the notice that a topic is resolved as unread. */

import { TOPIC_VISIBILITIES } from '../../../packages/rules/topics.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { USER_SETTINGS_DEFAULTS } from '../../domain/users/user-settings.ts'
import type { ServerScope } from '../scope.ts'

/** The visibility of a topic that a user follows. */
const FOLLOWED = TOPIC_VISIBILITIES.followed

/** The subscribers who want it unread, ascending. They are few, so the notice names them. */
export function findResolutionReaders(
  { state }: ServerScope,
  { channelId, topic }: { readonly channelId: ChannelId; readonly topic: string },
): readonly UserId[] {
  const defaultPolicy = USER_SETTINGS_DEFAULTS.resolvedTopicNoticeAutoReadPolicy
  return state
    .getChannel(channelId)
    .subscribers.toArray()
    .filter((userId) => {
      const policy = state.userSettings.get(userId)?.resolvedTopicNoticeAutoReadPolicy ?? defaultPolicy
      if (policy !== 'except_followed') return policy === 'never'
      return state.topicVisibility(userId, channelId, topic) === FOLLOWED
    })
}
