/** Bots, for the users who manage them. */

import type { BotSetup } from '../users/bots.ts'
import type { User } from '../entities.ts'
import type { UserId } from '../ids.ts'

/** Changes of a bot for its managers. */
export type BotChange = Partial<Pick<User, 'isActive' | 'fullName' | 'botOwnerId'>> & {
  /** The whole value. */
  readonly setup?: BotSetup
  /** Set if it has another avatar for clients. */
  readonly hasNewAvatar?: true
}

export type BotFact =
  /** The new setup of a bot. */
  { readonly type: 'bot_setup_changed'; readonly botId: UserId; readonly setup: BotSetup }

export type BotNotice =
  /** For managers of a bot: it appears, or disappears. */
  | { readonly type: 'realm_bot/add' | 'realm_bot/delete'; readonly botId: UserId }
  /** For managers of a bot: it has changed. */
  | { readonly type: 'realm_bot/update'; readonly botId: UserId; readonly change: BotChange }
