/** The settings of users for channels to which they are subscribed. */

import { clientsOf } from '../../audience/tell-visibility.ts'
import { canSeeChannel } from '../../domain/channel-access.ts'
import type { SubscriptionSettings } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { SubscriptionChange } from '../../domain/events/channels.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { subscriptionSettings } from '../../views/channel-view.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** A change for one channel. */
export interface SettingChange {
  readonly channelId: ChannelId
  readonly change: SubscriptionChange
}

/** Changes settings of the caller's subscriptions, one after the other. */
export function decideSubscriptionSettings(
  { state, caller, fail }: Scope<'NOT_SUBSCRIBED'>,
  { changes }: { readonly changes: readonly SettingChange[] },
): Decision<void> {
  const present = new Map<ChannelId, SubscriptionSettings>()
  const events: NewEvent[] = []
  for (const { channelId, change } of changes) {
    const channel = state.channels.get(channelId)
    if (!channel?.subscribers.has(caller.id) || !canSeeChannel(caller, channel, state.rights)) {
      throw fail('NOT_SUBSCRIBED', { id: channelId })
    }
    const settings = present.get(channelId) ?? subscriptionSettings(channel, caller.id)
    if (settings[change.property] === change.value) continue
    present.set(channelId, { ...settings, [change.property]: change.value })
    events.push(...tellChange(channel, caller.id, change))
  }
  return done(events)
}

/** Muting is told by its older, inverse name as well. */
function tellChange({ channel }: ChannelState, userId: UserId, change: SubscriptionChange): NewEvent[] {
  const place = { userId, channelId: channel.id, ...clientsOf(channel) }
  const audience = { kind: 'users', users: UserSet.of([userId]) } as const
  const events: NewEvent[] = [{ event: { type: 'subscription/update', ...place, change }, audience }]
  if (change.property === 'isMuted') {
    const shown = { property: 'inHomeView', value: !change.value } as const
    events.push({ event: { type: 'subscription/update_shown', ...place, change: shown }, audience })
  }
  return events
}
