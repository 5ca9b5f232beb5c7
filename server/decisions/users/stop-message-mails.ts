/** Turns off all mails about messages, for a reader who asks by the link in one. */

import type { Fact } from '../../domain/events.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { changeSettings } from './update-settings.ts'

/** Also where a channel has a setting of its own; a push or a note on the desktop stays as it is. */
export function decideStopMessageMails({ state, caller }: Scope<never>): Decision<void> {
  const settings = changeSettings({ state }, caller, [
    { name: 'enableOfflineEmailNotifications', value: false },
    { name: 'enableStreamEmailNotifications', value: false },
    { name: 'enableFollowedTopicEmailNotifications', value: false },
    { name: 'enableDigestEmails', value: false },
  ])
  const channels = state
    .subscribedChannels(caller.id)
    .filter((channel) => channel.settings.get(caller.id)?.emailNotifications === true)
    .map(
      ({ channel }): Fact => ({
        type: 'subscription/update',
        userId: caller.id,
        channelId: channel.id,
        change: { property: 'emailNotifications', value: null },
      }),
    )
  return done([...settings, ...channels])
}
