/** Notifies the owner of a bot that its webhooks fail: once for each integration and reason, not for each try. */

import { hash } from 'node:crypto'
import type { User } from '../../domain/entities.ts'
import { type Integration } from '../../integrations/integration.ts'
import { code, plain } from '../../integrations/markdown.ts'
import { noticeTexts } from '../../decisions/notice-wording.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { sendNoticeOnce } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'

/** The queue of the marks, which no client has. */
const NOTICES = 'webhook failures'

/** Why webhooks fail. */
export type WebhookFailure =
  | { readonly kind: 'unreadable' | 'unsigned' }
  /** The channel does not exist, or the bot may not see it: the message does not say which. */
  | { readonly kind: 'channel_unknown'; readonly channel: string }
  | { readonly kind: 'refused'; readonly channel: string; readonly reason: string }

/** Sends the owner a direct message; does nothing for a bot whose owner is gone. */
export async function notifyOwner(
  services: Sending,
  bot: User,
  integration: Integration,
  failure: WebhookFailure,
): Promise<void> {
  const owner = bot.botOwnerId === null ? undefined : services.state.users.get(bot.botOwnerId)
  if (!owner?.isActive) return
  const { kind, ...details } = failure
  const place = hash('sha256', JSON.stringify([bot.id, integration.name, kind, details]), 'base64url')
  const texts = noticeTexts(services.state, owner.id)
  const { t } = texts
  const sentence = explain(texts, failure, { bot: nameOf(bot), integration: integration.title })
  const content = `${sentence} ${t('Further webhooks that fail in this way send no message.')}`
  await sendNoticeOnce(services, owner.id, content, { queueId: NOTICES, localId: place })
}

function nameOf({ fullName, id }: User): string {
  return `@_**${fullName}|${id}**`
}

function explain(
  { t }: ServerTexts,
  failure: WebhookFailure,
  { bot, integration }: { readonly bot: string; readonly integration: string },
): string {
  switch (failure.kind) {
    case 'unreadable':
      return t(
        'Your bot {bot} received a {integration} webhook, but its payload could not be read. Check that the address names the integration of the sender.',
        { bot, integration },
      )
    case 'unsigned':
      return t(
        "Your bot {bot} received a {integration} webhook, but its signature does not match the bot''s secret.",
        { bot, integration },
      )
    case 'channel_unknown':
      return t(
        'Your bot {bot} received a {integration} webhook, but there is no channel {channel} that the bot can post to.',
        { bot, integration, channel: code(failure.channel) },
      )
    case 'refused': {
      const reason = plain(failure.reason)
      const channel = code(failure.channel)
      return channel === ''
        ? t('Your bot {bot} received a {integration} webhook, but its message to you was refused: {reason}', {
            bot,
            integration,
            reason,
          })
        : t(
            'Your bot {bot} received a {integration} webhook, but its message to {channel} was refused: {reason}',
            { bot, integration, channel, reason },
          )
    }
  }
}
