/** Bots for users who manage them. */

import type { BotSetup } from '../domain/users/bots.ts'
import type { User } from '../domain/entities.ts'
import type { LogEvent } from '../domain/events.ts'
import type { BotChange } from '../domain/events/bots.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { avatarUrl } from './user-view.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

const BOT_DEFAULTS = {
  default_sending_stream: orNull(STRING),
  default_events_register_stream: orNull(STRING),
  default_all_public_streams: BOOLEAN,
}
const BOT_SERVICES = arrayOf(record({ base_url: STRING, token: STRING, interface: INTEGER }))

/** Schema of `viewBot`. */
export const BOT = record({
  user_id: INTEGER,
  email: STRING,
  full_name: STRING,
  bot_type: orNull(INTEGER),
  is_active: BOOLEAN,
  owner_id: orNull(INTEGER),
  api_key: STRING,
  avatar_url: STRING,
  ...BOT_DEFAULTS,
  services: BOT_SERVICES,
})

/** Schema of `viewOwnBot`. */
export const OWN_BOT = record({
  user_id: INTEGER,
  username: STRING,
  full_name: STRING,
  api_key: STRING,
  avatar_url: STRING,
  ...BOT_DEFAULTS,
})

/** Schema of `viewBotChange`, with the bot's id and its avatar. */
export const BOT_CHANGE = record(
  { user_id: INTEGER },
  {
    is_active: BOOLEAN,
    full_name: STRING,
    owner_id: orNull(INTEGER),
    avatar_url: STRING,
    ...BOT_DEFAULTS,
    services: BOT_SERVICES,
  },
)

/**
 * An entry of `realm_bots`. It has no API key: the server stores only a hash, so a user who needs the key regenerates
 * it.
 */
export function viewBot(bot: User, viewer: User, state: OrganizationState): ValueOf<typeof BOT> {
  const setup = state.botSetupOf(bot.id)
  return {
    user_id: bot.id,
    email: bot.email,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    owner_id: bot.botOwnerId,
    api_key: '',
    avatar_url: avatarUrl(bot, state),
    ...viewDefaults(setup, viewer, state),
    ...viewServices(setup),
  }
}

/** An entry for the viewer's own bot. */
export function viewOwnBot(bot: User, viewer: User, state: OrganizationState): ValueOf<typeof OWN_BOT> {
  return {
    user_id: bot.id,
    username: bot.email,
    full_name: bot.fullName,
    api_key: '',
    avatar_url: avatarUrl(bot, state),
    ...viewDefaults(state.botSetupOf(bot.id), viewer, state),
  }
}

/** A bot after a change. */
export function viewChangedBot(bot: User, viewer: User, state: OrganizationState) {
  const setup = state.botSetupOf(bot.id)
  return {
    full_name: bot.fullName,
    avatar_url: avatarUrl(bot, state),
    service_interface: setup.service?.interface ?? null,
    service_payload_url: setup.service?.url ?? null,
    ...viewDefaults(setup, viewer, state),
  }
}

/** The changed fields of a bot, without its id. */
export function viewBotChange(
  { isActive, fullName, botOwnerId, setup }: BotChange,
  viewer: User,
  state: OrganizationState,
) {
  return {
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...(fullName === undefined ? {} : { full_name: fullName }),
    ...(botOwnerId === undefined ? {} : { owner_id: botOwnerId }),
    ...(setup === undefined ? {} : { ...viewDefaults(setup, viewer, state), ...viewServices(setup) }),
  }
}

/** Whether an event names a bot's channels, which some managers of the bot may not see. */
export function namesChannels(event: LogEvent, state: OrganizationState): boolean {
  const setup =
    event.type === 'realm_bot/add'
      ? state.botSetupOf(event.botId)
      : event.type === 'realm_bot/update'
        ? event.change.setup
        : undefined
  return setup !== undefined && (setup.sendingChannelId !== null || setup.eventsChannelId !== null)
}

/** The default channels by name, if the viewer may see them. */
function viewDefaults(setup: BotSetup, viewer: User, state: OrganizationState) {
  const nameOf = (id: ChannelId | null) =>
    (id === null ? undefined : state.findVisibleChannel(viewer, id))?.channel.name ?? null
  return {
    default_sending_stream: nameOf(setup.sendingChannelId),
    default_events_register_stream: nameOf(setup.eventsChannelId),
    default_all_public_streams: setup.hearsPublicChannels,
  }
}

function viewServices({ service }: BotSetup) {
  if (!service) return { services: [] }
  return { services: [{ base_url: service.url, token: service.token, interface: service.interface }] }
}
