/** The initial state of channels and of the user's subscriptions. */

import { derived } from '../../domain/messages/derived.ts'
import { loadLeftChannels } from '../../../db/organization/subscriptions.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { arrayOf } from '../../domain/json-schema.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { CHANNEL, NEVER_SUBSCRIBED, SUBSCRIPTION } from '../../views/channel-view.ts'
import { channelForm, encodeChannel, encodeSubscriptionEnd } from '../../views/encode-subscriptions.ts'
import { runsOf } from '../../views/cached-runs.ts'
import { listAfterCommas } from '../../views/json-pieces.ts'
import { EncodedField } from '../operation.ts'
import type { RegistrationContext } from './context.ts'
import { statePart } from './state-part.ts'

/** The channels that the user may see, without kinds that the client does not handle. */
export const visibleChannels = derived(
  ({ user, services, options }: RegistrationContext): readonly ChannelState[] => {
    const visible = services.state.visibleChannels(user)
    return options.hasArchivedChannels ? visible : visible.filter(({ channel }) => !channel.isArchived)
  },
)

/** `stream`. */
export const channels = statePart({
  fields: {
    streams: { schema: arrayOf(CHANNEL), description: 'All channels that the user may see, by id.' },
  },
  fetch(context) {
    const { state, clock } = context.services
    const now = nowSeconds(clock)
    const form = channelForm(false, '}')
    const pieces = visibleChannels(context).map((channel) => ({
      id: channel.channel.id,
      piece: encodeChannel(channel, state, now, form),
    }))
    return { streams: new EncodedField(listAfterCommas(runsOf(state).join(pieces))) }
  },
})

/** `subscription`. */
export const subscriptions = statePart({
  fields: {
    subscriptions: {
      schema: arrayOf(SUBSCRIPTION),
      description:
        'The channels that the user is subscribed to, with their settings. Subscribers are listed as ' +
        '`include_subscribers` asks.',
    },
    unsubscribed: {
      schema: arrayOf(SUBSCRIPTION),
      description: 'The same for channels that the user was subscribed to and may still see.',
    },
    never_subscribed: {
      schema: arrayOf(NEVER_SUBSCRIBED),
      description: 'The other channels that the user may see.',
    },
  },
  async fetch(context) {
    const { user, services, options, asOf } = context
    const { state, clock, sql } = services
    const now = nowSeconds(clock)
    const visible = visibleChannels(context)
    const open = channelForm(options.includeSubscribers, '')
    const closed = channelForm(options.includeSubscribers, '}')
    const encodeEnd = (channel: ChannelState) =>
      encodeSubscriptionEnd(channel, user.id, options.allowsNullSettings)
    // Encoded before the await below, as of the same event as the rest.
    const isSubscribed = ({ subscribers }: ChannelState) => subscribers.has(user.id)
    const subscribed = visible
      .filter(isSubscribed)
      .flatMap((channel) => [encodeChannel(channel, state, now, open), encodeEnd(channel)])
    const others = visible
      .filter((channel) => !isSubscribed(channel))
      .map((channel) => ({
        id: channel.channel.id,
        piece: encodeChannel(channel, state, now, closed),
        end: encodeEnd(channel),
      }))
    const leftIds = new Set(others.length === 0 ? [] : await loadLeftChannels(sql, user.id, asOf))
    const left = others.filter(({ id }) => leftIds.has(id))
    const never = leftIds.size === 0 ? others : others.filter(({ id }) => !leftIds.has(id))
    return {
      subscriptions: new EncodedField(listAfterCommas(subscribed)),
      unsubscribed: EncodedField.list(left.map(({ piece, end }) => [piece.bytes.slice(1, -1), end])),
      never_subscribed: new EncodedField(listAfterCommas(runsOf(state).join(never))),
    }
  },
})
