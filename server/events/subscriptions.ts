/** Subscriptions to channels. */

import { storeSubscriptionRun } from '../../db/log/store-runs.ts'
import { endSubscriptions, startSubscriptions } from '../../db/organization/subscriptions.ts'
import { forgetUnread } from '../../db/unread/read-marks.ts'
import { notifyJoins, notifyLeaves, notifySubscriptionSettings } from '../audience/subscriptions.ts'
import type { EventOf } from '../domain/events.ts'
import type { SubscriptionFact, SubscriptionNotice } from '../domain/events/subscriptions.ts'
import { arrayOf, INTEGER, record, STRING } from '../domain/json-schema.ts'
import {
  SUBSCRIPTION,
  SUBSCRIPTION_CHANGE_FIELDS,
  viewSubscription,
  viewSubscriptionChange,
} from '../views/channel-view.ts'
import { audited } from './audited.ts'
import { channelAtEvent } from './channel-at-event.ts'
import { type Entries, fact, notice } from './entry.ts'
import { shown, shownAs } from './view.ts'

const IDS = arrayOf(INTEGER)
const CHANNEL_USERS = record({ stream_ids: IDS, user_ids: IDS })

type ChannelUsers = Pick<EventOf<'subscription/remove'>, 'channelIds' | 'userIds'>
const viewChannelUsers = ({ channelIds, userIds }: ChannelUsers) => ({
  stream_ids: channelIds,
  user_ids: userIds,
})

const ADDED = shownAs(
  'subscription/add',
  'The user was subscribed to channels.',
  record({ subscriptions: arrayOf(SUBSCRIPTION) }),
  ({ channels }: EventOf<'subscription/add' | 'subscription/reveal'>, context) => ({
    subscriptions: channels.map((channel) => viewSubscription(channelAtEvent(channel, context), context)),
  }),
)

const UPDATED = shownAs(
  'subscription/update',
  "A setting of the user's subscription changed.",
  record({ stream_id: INTEGER, ...SUBSCRIPTION_CHANGE_FIELDS }),
  ({ channelId, change }: EventOf<'subscription/update' | 'subscription/update_shown'>, { options }) => {
    const { property, value } = viewSubscriptionChange(change, options.allowsNullSettings)
    return { stream_id: channelId, property, value }
  },
)

export const SUBSCRIPTION_EVENTS: Entries<SubscriptionFact | SubscriptionNotice> = {
  'subscription/add': fact({
    audience: notifyJoins,
    apply(state, { channels, userIds }) {
      for (const { id } of channels) {
        const channel = state.channelToChange(id)
        if (!channel.channel.isArchived) state.userVisibility.widen(channel.subscribers, userIds)
        channel.subscribers = channel.subscribers.with(userIds)
      }
    },
    store(writes, id, { channels, userIds }) {
      const channelIds = channels.map((channel) => channel.id)
      startSubscriptions(writes, id, channelIds, userIds)
    },
    view: ADDED,
    audit: audited(
      ({ channels, userIds }) => ({ channelIds: channels.map(({ id }) => id), userIds }),
      CHANNEL_USERS,
      viewChannelUsers,
    ),
  }),
  'subscription/reveal': notice({ view: ADDED }),
  'subscription/remove': fact({
    audience: notifyLeaves,
    apply(state, { channelIds, userIds }) {
      for (const id of channelIds) {
        const channel = state.channelToChange(id)
        channel.subscribers = channel.subscribers.without(userIds)
        state.userVisibility.narrow(channel.subscribers, userIds)
      }
    },
    store(writes, id, { channelIds, userIds }) {
      endSubscriptions(writes, id, channelIds, userIds)
      forgetUnread(writes, channelIds, userIds)
    },
    view: shown(
      'The user was unsubscribed from channels.',
      record({ subscriptions: arrayOf(record({ stream_id: INTEGER, name: STRING })) }),
      ({ channelIds, names }) => ({
        subscriptions: channelIds.map((stream_id, index) => ({ stream_id, name: names[index] as string })),
      }),
    ),
    audit: audited(({ channelIds, userIds }) => ({ channelIds, userIds }), CHANNEL_USERS, viewChannelUsers),
  }),
  'subscription/peer_add': notice({
    view: shown('Other users were subscribed to channels.', CHANNEL_USERS, viewChannelUsers),
  }),
  'subscription/peer_remove': notice({
    view: shown('Other users were unsubscribed from channels.', CHANNEL_USERS, viewChannelUsers),
  }),
  'subscription/update': fact({
    audience: notifySubscriptionSettings,
    apply(state, { userId, channelId, change: { property, value } }) {
      const before = state.getChannel(channelId).settings.get(userId)
      state.placeSubscriptionSettings(channelId, userId, { ...before, [property]: value })
    },
    storeRun: storeSubscriptionRun,
    view: UPDATED,
  }),
  'subscription/update_shown': notice({ view: UPDATED }),
}
