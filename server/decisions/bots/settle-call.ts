/** Ends the call of an outgoing webhook: its answer or its failure is posted in the same change, so that it is said once. */

import type { Fact } from '../../domain/events.ts'
import type { OutgoingWebhookSettled } from '../../domain/events/bots.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { EventId, MessageId } from '../../domain/ids.ts'
import type { Decision } from '../decision.ts'
import {
  type ChannelSendRequest,
  createChannelMessage,
  createDirectMessage,
  type DirectSendRequest,
} from '../messages/decide-send.ts'
import { createNotice, type Notice } from '../messages/notices.ts'
import { scopeFor, type ServerScope } from '../scope.ts'

/** A message of the bot, rendered for its place. */
export type BotMessage =
  | { readonly kind: 'channel'; readonly request: ChannelSendRequest }
  | { readonly kind: 'direct'; readonly request: DirectSendRequest }

/** The end of a call. */
export interface CallEnd extends Pick<OutgoingWebhookSettled, 'botId' | 'messageId'> {
  readonly failure?: OutgoingWebhookSettled['failure'] | undefined
  /** The message of the bot in the conversation. */
  readonly said?: BotMessage | undefined
  /** The message to the bot's owner. */
  readonly notice?: Notice | undefined
}

/** The message of the bot; undefined if it says nothing. */
export interface SettledCall {
  readonly id: MessageId
  readonly message: MessageSent
}

/** Ends a call. Throws as a send of the bot does if it may not say that there. */
export function decideCallEnd(
  scope: ServerScope,
  { botId, messageId, failure, said, notice }: CallEnd,
): Decision<SettledCall | undefined> {
  const message = said && create(scopeFor(scope, botId), said)
  const settled: Fact = {
    type: 'outgoing_webhook_settled',
    botId,
    messageId,
    ...(failure === undefined ? {} : { failure }),
  }
  return {
    events: [...(message ? [message] : []), ...(notice ? [createNotice(scope, notice)] : []), settled],
    reply: (firstId: EventId) => message && { id: firstId as number as MessageId, message },
  }
}

function create(scope: ReturnType<typeof scopeFor>, said: BotMessage): MessageSent {
  return said.kind === 'channel'
    ? createChannelMessage(scope, said.request)
    : createDirectMessage(scope, said.request)
}
