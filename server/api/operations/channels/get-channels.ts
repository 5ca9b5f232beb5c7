/** `GET /streams`: the channels that a user may see. */

import { canReadChannel, canSeeChannel } from '../../../../packages/rules/channels.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { ROLES, type User } from '../../../domain/entities.ts'
import type { ChannelState } from '../../../state/channel-state.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { channelForm, encodeChannel } from '../../../views/encode-subscriptions.ts'
import { type JsonPiece, listAfterCommas } from '../../../views/json-pieces.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted } from '../../params.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import { arrayOf } from '../../../domain/json-schema.ts'
import { LISTED_CHANNEL } from '../../../views/channel-view.ts'

type FilterName =
  | 'include_public'
  | 'include_web_public'
  | 'include_subscribed'
  | 'include_all'
  | 'include_all_active'
  | 'include_default'
  | 'include_owner_subscribed'
  | 'include_can_access_content'

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
