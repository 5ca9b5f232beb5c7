/** The request for a bot's receiver, in both documented forms, and its signature. */

import { createHmac } from 'node:crypto'
import { ROLES } from '../../../packages/rules/roles.ts'
import type { Message, User } from '../../../server/domain/entities.ts'
import { type BotService, SERVICE_INTERFACES } from '../../../server/domain/users/bots.ts'
import type { OrganizationState } from '../../../server/state/organization-state.ts'
import { encodeMessage } from '../../../server/views/message-view.ts'
import { UNKNOWN_USER_NAME } from '../../../server/views/user-view.ts'

/** A call to make. */
export interface WebhookCall {
  readonly bot: User
  readonly service: BotService
  readonly message: Message
  /** Why the message calls the bot. */
  readonly trigger: string
}

/** A body with its type. */
export interface CallBody {
  readonly contentType: string
  readonly text: string
}

/** The body of a call, with names as the bot may see them. */
export function composeCall(call: WebhookCall, state: OrganizationState, publicUrl: string): CallBody {
  return call.service.interface === SERVICE_INTERFACES.slack
    ? {
        contentType: 'application/x-www-form-urlencoded',
        text: composeForm(call, state, publicUrl).toString(),
      }
    : { contentType: 'application/json', text: composeJson(call, state) }
}

function composeJson({ bot, service, message, trigger }: WebhookCall, state: OrganizationState): string {
  const encoded = encodeMessage(message, state, {
    applyMarkdown: false,
    clientGravatar: false,
    allowEmptyTopic: false, // Older programs send an answer to the name that they see.
    isGuest: bot.role === ROLES.guest,
    viewerId: bot.id,
  })
  const fields = JSON.stringify({
    data: message.content,
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token: service.token,
    trigger,
  })
  return `${fields.slice(0, -1)},"message":${encoded},"rendered_content":${JSON.stringify(message.rendered)}}}`
}

function composeForm(
  { bot, service, message, trigger }: WebhookCall,
  state: OrganizationState,
  publicUrl: string,
): URLSearchParams {
  const { destination, senderId } = message
  const knowsSender = state.userVisibility.knows(bot.id, senderId)
  const { hostname } = new URL(publicUrl)
  return new URLSearchParams({
    token: service.token,
    team_id: 'T1', // A server holds one organization.
    team_domain: hostname,
    ...(destination.kind === 'channel'
      ? {
          channel_id: `C${destination.channelId}`,
          channel_name: state.getChannel(destination.channelId).channel.name,
        }
      : {}),
    thread_ts: String(message.sentAt),
    timestamp: String(message.sentAt),
    user_id: `U${senderId}`,
    user_name: knowsSender ? state.getUser(senderId).fullName : UNKNOWN_USER_NAME,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  })
}

/**
 * The headers that prove a call, by the Standard Webhooks specification: the receiver computes the signature over id, time
 * and body with its secret. Retries have the same id.
 *
 * @param secret `whsec_` and base64.
 */
export function signCall(
  { bot, message }: Pick<WebhookCall, 'bot' | 'message'>,
  body: string,
  { secret, nowSeconds }: { readonly secret: string; readonly nowSeconds: number },
): Record<string, string> {
  const id = `msg_${message.id}_${bot.id}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${nowSeconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(nowSeconds),
    'webhook-signature': `v1,${signature}`,
  }
}
