/** Bots as those see them who manage them. */

import type { User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { avatarUrl } from './user-view.ts'

/** What bots of every type have here alike. */
const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

/** An entry of `realm_bots`. The server knows only a hash of the key: whoever needs the key makes a new one. */
export function viewBot(bot: User, state: OrganizationState) {
  return {
    user_id: bot.id,
    email: bot.email,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    owner_id: bot.botOwnerId,
    api_key: '',
    avatar_url: avatarUrl(bot, state),
    ...DEFAULTS,
    services: [],
  }
}

/** A bot of one's own. */
export function viewOwnBot(bot: User, state: OrganizationState) {
  return {
    user_id: bot.id,
    username: bot.email,
    full_name: bot.fullName,
    api_key: '',
    avatar_url: avatarUrl(bot, state),
    ...DEFAULTS,
  }
}

/** A bot that was just changed. */
export function viewChangedBot(bot: User, state: OrganizationState) {
  return { full_name: bot.fullName, avatar_url: avatarUrl(bot, state), ...DEFAULTS }
}
