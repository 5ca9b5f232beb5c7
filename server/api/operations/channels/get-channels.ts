/** Channels, and their members. */

import { canReadChannel, canSeeChannel } from '../../../../packages/rules/channels.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { ROLES, type User } from '../../../domain/entities.ts'
import type { ChannelState } from '../../../state/channel-state.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { channelForm, encodeChannel } from '../../../views/encode-subscriptions.ts'
import { type JsonPiece, listAfterCommas } from '../../../views/json-pieces.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted, id, required, text } from '../../params.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'
import { CHANNEL, LISTED_CHANNEL, viewChannel, viewSubscribers } from '../../../views/channel-view.ts'
import { findChannel } from '../../../decisions/channels/find-channel.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../../domain/limits.ts'

type FilterName =
  | 'include_public'
  | 'include_web_public'
  | 'include_subscribed'
  | 'include_all'
  | 'include_all_active'
  | 'include_default'
  | 'include_owner_subscribed'
  | 'include_can_access_content'

/** `GET /streams`: the channels that a user may see. */
export const getChannels = operation({
  method: 'GET',
  path: '/streams',
  summary: 'Get all channels',
  description: 'The channels that match one of the chosen filters and that the user may see.',
  access: 'user',
  params: {
    include_public: defaulted(boolean(), true, 'Public channels; no effect for guests.'),
    include_web_public: defaulted(boolean(), false, 'Channels that anyone on the web may read.'),
    include_subscribed: defaulted(boolean(), true, 'Channels to which the user is subscribed.'),
    exclude_archived: defaulted(boolean(), true, 'Omits archived channels.'),
    include_all: defaulted(
      boolean(),
      false,
      'All channels that the user may see; for administrators, all channels.',
    ),
    include_default: defaulted(boolean(), false, 'Default channels; adds `is_default`.'),
    include_owner_subscribed: defaulted(
      boolean(),
      false,
      'For bots: channels to which the owner of the bot is subscribed.',
    ),
    include_can_access_content: defaulted(boolean(), false, 'Channels whose content the user may read.'),
    include_all_active: defaulted(boolean(), false, 'Same as `include_all`, for administrators.', {
      isDeprecated: true,
    }),
  },
  reply: {
    streams: { schema: arrayOf(LISTED_CHANNEL), description: 'The channels.' },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  run({ user, params, services: { state, clock }, fail }) {
    if (params.include_all_active) checkAdministrator({ caller: user, fail })
    const isWanted = chooseChannels(params, user, state)
    const now = nowSeconds(clock)
    const defaults = new Set(state.defaultChannelIds)
    const form = channelForm(false, params.include_default ? '' : '}')
    const streams: JsonPiece[] = []
    for (const channel of state.channels.values()) {
      const { id, isArchived } = channel.channel
      if ((params.exclude_archived && isArchived) || !isWanted(channel)) continue
      streams.push(encodeChannel(channel, state, now, form))
      if (params.include_default) streams.push(`,"is_default":${defaults.has(id)}}`)
    }
    return { streams: new EncodedField(listAfterCommas(streams)) }
  },
})

/** Whether a visible channel matches one of the filters. */
function chooseChannels(
  params: Record<FilterName, boolean>,
  user: User,
  state: OrganizationState,
): (channel: ChannelState) => boolean {
  const { rights } = state
  const includesPublic = params.include_public && user.role !== ROLES.guest
  const defaults = new Set(params.include_default ? state.defaultChannelIds : [])
  const owner = params.include_owner_subscribed ? findOwner(user, state) : undefined
  return (channel) => {
    // The owner has the bot's key and so sees its channels: their private channels are no secret.
    if (owner && channel.subscribers.has(owner.id)) return true
    if (!canSeeChannel(user, channel, rights)) return false
    return (
      params.include_all ||
      params.include_all_active ||
      (includesPublic && !channel.channel.isPrivate) ||
      (params.include_web_public && channel.channel.isWebPublic) ||
      (params.include_subscribed && channel.subscribers.has(user.id)) ||
      defaults.has(channel.channel.id) ||
      (params.include_can_access_content && canReadChannel(user, channel, rights))
    )
  }
}

/** The active owner of a bot. */
function findOwner({ botType, botOwnerId }: User, state: OrganizationState): User | undefined {
  const owner = botType === null || botOwnerId === null ? undefined : state.users.get(botOwnerId)
  return owner?.isActive ? owner : undefined
}

/** `GET /streams/{stream_id}`: one channel. */
export const getChannel = operation({
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'Get a channel by id',
  description: 'Also returns archived channels.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: { stream: { schema: CHANNEL, description: 'The channel.' } },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  run({ user, params, services: { state, clock }, fail }) {
    const channel = findChannel({ state, caller: user, fail }, params.stream_id)
    return { stream: viewChannel(channel, state, nowSeconds(clock)) }
  },
})

/** `GET /get_stream_id`: the id of the channel with a name. */
export const getChannelId = operation({
  method: 'GET',
  path: '/get_stream_id',
  summary: 'Get the id of a channel',
  access: 'user',
  params: {
    stream: required(
      text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true, takesNull: true }),
      'The name of the channel, in any case.',
    ),
  },
  reply: { stream_id: { schema: INTEGER, description: 'The id.' } },
  errors: ['CHANNEL_NAME_UNKNOWN'],
  events: [],
  run({ user, params: { stream: name }, services: { state }, fail }) {
    const channel = state.findChannelByName(name)
    if (!channel || !canSeeChannel(user, channel, state.rights)) throw fail('CHANNEL_NAME_UNKNOWN', { name })
    return { stream_id: channel.channel.id }
  },
})

/** `GET /streams/{stream_id}/members`: the subscribers of a channel. */
export const getChannelMembers = operation({
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'Get the subscribers of a channel',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {
    subscribers: { schema: arrayOf(INTEGER), description: 'The ids of its active subscribers, ascending.' },
  },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  run({ user, params, services: { state }, fail }) {
    const channel = findChannel({ state, caller: user, fail }, params.stream_id)
    return { subscribers: viewSubscribers(channel, state) }
  },
})
