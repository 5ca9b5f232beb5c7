/** Brings over what bots have besides their account, if they have none here. */

import {
  MissingBotKeyError,
  readBotEntries,
  storeBotEntries,
} from '../../../../db/organization/bot-storage.ts'
import type { Sql } from '../../../../db/connection/connect.ts'
import type { ServerScope } from '../../../decisions/scope.ts'
import type { Fact } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { BOT_STORAGE_KEY_LENGTH_MAX } from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import type { ImportedChannels } from '../load-channels.ts'
import type { OwnOf } from './choices.ts'

/** The channels to which a bot sends, and of which it gets events. */
export function botFacts(
  { state }: ServerScope,
  botId: UserId,
  { sending, events, hearsPublicChannels }: OwnOf<'bot channels'>,
  channels: ImportedChannels,
): Fact[] {
  const before = state.botSetupOf(botId)
  const isPlain =
    before.sendingChannelId === null && before.eventsChannelId === null && !before.hearsPublicChannels
  if (!state.bots.has(botId) || !isPlain) return []
  const [sendingChannelId = null, eventsChannelId = null] = [sending, events].map((id) =>
    channels.find(id ?? ''),
  )
  return [
    {
      type: 'bot_setup_changed',
      botId,
      setup: { ...before, sendingChannelId, eventsChannelId, hearsPublicChannels },
    },
  ]
}

/** Stores a value of a bot, unless it has one of that key. */
export async function storeBotEntry(
  sql: Sql,
  { state, userId }: { readonly state: OrganizationState; readonly userId: UserId },
  { key, value }: OwnOf<'bot storage'>,
): Promise<void> {
  if (!state.bots.has(userId)) throw fail('BOT_UNKNOWN')
  const cut = Array.from(key).slice(0, BOT_STORAGE_KEY_LENGTH_MAX).join('')
  try {
    await readBotEntries(sql, userId, [cut])
  } catch (error) {
    if (!(error instanceof MissingBotKeyError)) throw error
    await storeBotEntries(sql, userId, new Map([[cut, value]]))
  }
}
