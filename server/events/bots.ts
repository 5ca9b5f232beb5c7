/** Bots, for the users who manage them. */

import { storeSettledCall } from '../../db/notifications/outgoing-webhooks.ts'
import { storeBotSetup } from '../../db/organization/bot-setups.ts'
import { notifySetups } from '../audience/bots.ts'
import type { BotFact, BotNotice } from '../domain/events/bots.ts'
import { INTEGER, record } from '../domain/json-schema.ts'
import { BOT, BOT_CHANGE, viewBot, viewBotChange } from '../views/bot-view.ts'
import { avatarUrl } from '../views/user-view.ts'
import { AUDITED_USER_SCHEMA, audited, viewAuditedUser } from './audited.ts'
import { type Entries, notice, silent } from './entry.ts'
import { shown } from './view.ts'

export const BOT_EVENTS: Entries<BotFact | BotNotice> = {
  bot_setup_changed: silent({
    audience: notifySetups,
    apply(state, { botId, setup }) {
      state.botSetups.set(botId, setup)
    },
    store: (writes, _, { botId, setup }) => storeBotSetup(writes, botId, setup),
    audit: audited(({ botId }) => ({ userId: botId }), AUDITED_USER_SCHEMA, viewAuditedUser),
  }),
  outgoing_webhook_settled: silent({ store: (writes, _, event) => storeSettledCall(writes, event) }),
  'realm_bot/add': notice({
    view: shown(
      'A bot that the user manages was created.',
      record({ bot: BOT }),
      ({ botId }, { state, recipient }) => ({
        bot: viewBot(state.getUser(botId), state.getUser(recipient.userId), state),
      }),
    ),
  }),
  'realm_bot/update': notice({
    view: shown(
      'A bot that the user manages changed.',
      record({ bot: BOT_CHANGE }),
      ({ botId, change }, { state, recipient }) => {
        const changes = viewBotChange(change, state.getUser(recipient.userId), state)
        const avatar = change.hasNewAvatar && { avatar_url: avatarUrl(state.getUser(botId), state) }
        return { bot: { user_id: botId, ...changes, ...avatar } }
      },
    ),
  }),
  'realm_bot/delete': notice({
    view: shown(
      'The user no longer manages a bot.',
      record({ bot: record({ user_id: INTEGER }) }),
      ({ botId }) => ({ bot: { user_id: botId } }),
    ),
  }),
}
