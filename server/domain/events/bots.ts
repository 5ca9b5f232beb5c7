/** Bots, for the users who manage them. */

import type { BotSetup } from '../users/bots.ts'
import type { User } from '../entities.ts'
import type { MessageId, UserId } from '../ids.ts'

/** Changes of a bot for its managers. */
export type BotChange = Partial<Pick<User, 'isActive' | 'fullName' | 'botOwnerId'>> & {
  /** The whole value. */
  readonly setup?: BotSetup
  /** Set if it has another avatar for clients. */
  readonly hasNewAvatar?: true
}

/** The call of an outgoing webhook for a message is over: its answer, or its failure, is said with it. */
export interface OutgoingWebhookSettled {
  readonly type: 'outgoing_webhook_settled'
  readonly botId: UserId
  readonly messageId: MessageId
  /** Calls of the bot begin to fail, or succeed again; left out for neither. */
  readonly failure?: 'begins' | 'ends'
}

export type BotFact =
  /** The new setup of a bot. */
  | { readonly type: 'bot_setup_changed'; readonly botId: UserId; readonly setup: BotSetup }
  | OutgoingWebhookSettled

export type BotNotice =
  /** For managers of a bot: it appears, or disappears. */
  | { readonly type: 'realm_bot/add' | 'realm_bot/delete'; readonly botId: UserId }
  /** For managers of a bot: it has changed. */
  | { readonly type: 'realm_bot/update'; readonly botId: UserId; readonly change: BotChange }
