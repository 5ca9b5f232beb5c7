/** The settings of users for channels to which they are subscribed. */

import { canSeeChannel } from '../../../packages/rules/channels.ts'
import type { SubscriptionSettings } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import type { SubscriptionChange } from '../../domain/events/subscriptions.ts'
import type { ChannelId } from '../../domain/ids.ts'
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
  const events: EventOf<'subscription/update'>[] = []
  for (const { channelId, change } of changes) {
    const channel = state.channels.get(channelId)
    if (!channel?.subscribers.has(caller.id) || !canSeeChannel(caller, channel, state.rights)) {
      throw fail('NOT_SUBSCRIBED', { id: channelId })
    }
    const settings = present.get(channelId) ?? subscriptionSettings(channel, caller.id)
    if (settings[change.property] === change.value) continue
    present.set(channelId, { ...settings, [change.property]: change.value })
    events.push({ type: 'subscription/update', userId: caller.id, channelId, change })
  }
  return done(events)
}
