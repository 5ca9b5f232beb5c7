/** `GET /streams`: the channels that a user may know of. */

import { canReadChannel, canSeeChannel, isAdministrator } from '../../../domain/channel-access.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { ROLES } from '../../../domain/entities.ts'
import { viewChannel } from '../../../views/channel-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted } from '../../params.ts'
import { arrayOf, LISTED_CHANNEL } from '../../reply-schemas.ts'

export const getChannels = operation({
  method: 'GET',
  path: '/streams',
  summary: 'Get all channels',
  description: 'The channels that any of the chosen filters lets through, of those the user may know of.',
  access: 'user',
  params: {
    include_public: defaulted(boolean(), true, 'Public channels; without effect for guests.'),
    include_web_public: defaulted(boolean(), false, 'Channels that anyone on the web may read.'),
    include_subscribed: defaulted(boolean(), true, 'Channels the user is subscribed to.'),
    exclude_archived: defaulted(boolean(), true, 'Leaves archived channels out.'),
    include_all: defaulted(boolean(), false, 'All channels the user may know of.'),
    include_default: defaulted(boolean(), false, 'Default channels; adds `is_default`.'),
    include_owner_subscribed: defaulted(
      boolean(),
      false,
      "For bots: channels the bot's owner is subscribed to.",
    ),
    include_can_access_content: defaulted(boolean(), false, 'Channels whose content the user may read.'),
    include_all_active: defaulted(boolean(), false, 'As `include_all`, for administrators.', {
      isDeprecated: true,
    }),
  },
  reply: {
    streams: { schema: arrayOf(LISTED_CHANNEL), description: 'The channels.' },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  run({ user, params, services: { state, clock }, fail }) {
    if (params.include_all_active && !isAdministrator(user))
      throw fail('ROLE_REQUIRED', { role: 'administrator' })
    const owner = user.botOwnerId === null ? undefined : state.getUser(user.botOwnerId)
    const streams = [...state.channels.values()]
      .filter((channel) => {
        // The owner holds the bot's key and so sees what it sees: private channels of theirs are no secret.
        if (params.include_owner_subscribed && owner && channel.subscribers.has(owner.id)) return true
        if (!canSeeChannel(user, channel, state.rights)) return false
        return (
          params.include_all ||
          params.include_all_active ||
          (params.include_public && !channel.channel.isPrivate && user.role !== ROLES.guest) ||
          (params.include_subscribed && channel.subscribers.has(user.id)) ||
          (params.include_can_access_content && canReadChannel(user, channel, state.rights))
        )
      })
      .map((channel) => ({
        ...viewChannel(channel, state, nowSeconds(clock)),
        ...(params.include_default ? { is_default: false } : {}),
      }))
    return { streams }
  },
})
