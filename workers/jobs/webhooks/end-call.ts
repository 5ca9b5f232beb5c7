/** Ends a call: posts the bot's words into the conversation, and notifies its owner when calls begin to fail. */

import { CallSettledError } from '../../../db/notifications/outgoing-webhooks.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { composeMessage } from '../../../server/changes/messages/compose-message.ts'
import { findMessage } from '../../../server/changes/messages/find-message.ts'
import { composeNotice } from '../../../server/changes/messages/send-notice.ts'
import type { Sending } from '../../../server/changes/sending.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { followBySending } from '../../../server/changes/topics/follow-topics.ts'
import { notifyLinked } from '../../../server/changes/uploads/notify-uploads.ts'
import {
  type BotMessage,
  type CallEnd,
  decideCallEnd,
  type SettledCall,
} from '../../../server/decisions/bots/settle-call.ts'
import type { Notice } from '../../../server/decisions/messages/notices.ts'
import { noticeTexts } from '../../../server/decisions/notice-wording.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import type { Message, User } from '../../../server/domain/entities.ts'
import { findOpening } from '../../../server/domain/messages/widgets.ts'
import { type CallFailure, wordOutage } from './call-wording.ts'

/** The name of the program that sends the bot's words. */
const CLIENT = 'OutgoingWebhook'
/** Tries of a message whose links were deleted meanwhile. */
const TRIES_MAX = 3

/** A call that was made. */
export interface MadeCall {
  readonly bot: User
  /** The message that called the bot. */
  readonly message: Message
}

/** Posts a text of the bot in the conversation, and ends the call in the same change. Fails as a send of the bot does. */
export async function endByMessage(
  services: Sending,
  { bot, message }: MadeCall,
  content: string,
  end: Pick<CallEnd, 'failure' | 'notice'>,
): Promise<void> {
  const settled = await submitComposed(services, async () => ({
    botId: bot.id,
    messageId: message.id,
    ...end,
    said: await compose(services, { bot, message }, content),
  }))
  if (!settled) return
  const { id, message: said } = settled
  if (said.uploadIds) await notifyLinked(said.uploadIds, id, services)
  const { destination } = message
  if (destination.kind === 'channel')
    await followBySending(destination, bot, { isStart: false, mentions: said.mentions ?? [] }, services)
}

/** Ends the call without a word in the conversation. */
export async function endSilently(
  services: Sending,
  { bot, message }: MadeCall,
  end: Pick<CallEnd, 'failure' | 'notice'>,
): Promise<void> {
  await submitComposed(services, () => ({ botId: bot.id, messageId: message.id, ...end }))
}

/** The notice to the owner when calls begin to fail; undefined without an active owner. */
export async function composeOutage(
  services: Sending,
  { bot, message }: MadeCall,
  failure: CallFailure,
): Promise<Notice | undefined> {
  const owner = bot.botOwnerId === null ? undefined : services.state.users.get(bot.botOwnerId)
  if (!owner?.isActive) return undefined
  const seen = await findMessage(message.id, owner, services)
  return composeNotice(
    services,
    owner.id,
    wordOutage(noticeTexts(services.state, owner.id), bot, failure, seen?.message),
  )
}

/**
 * A linked file that was deleted since needs another rendering. If another call has begun the failure meanwhile, the owner
 * is notified by that one; if another worker has ended this call, nothing is left to do.
 */
async function submitComposed(
  services: Sending,
  composeEnd: () => CallEnd | Promise<CallEnd>,
): Promise<SettledCall | undefined> {
  let isNotified = false
  for (let tries = 1; ; tries++) {
    const end = { ...(await composeEnd()), ...(isNotified ? { failure: undefined, notice: undefined } : {}) }
    try {
      return await submitForServer(services, (scope) => decideCallEnd(scope, end))
    } catch (error) {
      if (error instanceof CallSettledError) {
        if (end.failure !== 'begins') return undefined
        isNotified = true
      } else if (!(error instanceof StaleMessageError) || tries === TRIES_MAX) throw error
    }
  }
}

/** The conversation has a message, the one that called the bot: its topic, or the talk of its people, is known. */
async function compose(services: Sending, { bot, message }: MadeCall, content: string): Promise<BotMessage> {
  const submessage = findOpening(content)
  const draft = {
    senderId: bot.id,
    content,
    ...(submessage === undefined ? {} : { submessage }),
    sentAt: nowSeconds(services.clock),
    client: CLIENT,
    readById: null,
    queueId: null,
    localId: null,
  }
  const { destination } = message
  const composed = await composeMessage(content, bot, destination, services)
  return destination.kind === 'channel'
    ? { kind: 'channel', request: { draft, composed, ...destination, isKnown: true } }
    : { kind: 'direct', request: { draft, composed, ...destination, isKnown: true } }
}
