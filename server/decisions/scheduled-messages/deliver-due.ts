/** Sends due messages, many in one transaction; each is sent and leaves the schedule together. */

import type { Fact } from '../../domain/events.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { EventId, MessageId, UploadId } from '../../domain/ids.ts'
import type { Mention } from '../../domain/messages/message-flags.ts'
import type { Due, ScheduledMessage } from '../../domain/messages/scheduled-messages.ts'
import type { Decision } from '../decision.ts'
import {
  type ChannelSendRequest,
  createChannelMessage,
  createDirectMessage,
  type DirectSendRequest,
} from '../messages/decide-send.ts'
import { createNotice, type Notice } from '../messages/notices.ts'
import { scopeFor, type ServerScope } from '../scope.ts'
import { reasonOf, type Refused, removalOf } from './give-up-due.ts'

type DueMessage = Extract<Due, { kind: 'message' }>

/** A due message, rendered. */
export type Ready =
  | {
      readonly kind: 'channel'
      readonly due: DueMessage
      readonly request: ChannelSendRequest
      /** Identifies its topic. */
      readonly place: string
    }
  | { readonly kind: 'direct'; readonly due: DueMessage; readonly request: DirectSendRequest }
  | { readonly kind: 'reminder'; readonly due: Due; readonly notice: Notice }

/** A message that was sent, and that may make users follow its topic. */
export interface Follower {
  readonly due: ScheduledMessage
  /** Whether it is the first of its topic. */
  readonly isStart: boolean
  readonly mentions: readonly Mention[]
}

/** A due item, and the message with which it was sent. */
export interface SentDue {
  readonly due: Due
  readonly messageId: MessageId
}

/** The result of a batch. */
export interface Delivery {
  readonly sent: readonly SentDue[]
  /** Messages that can no longer be sent. */
  readonly late: readonly Refused[]
  readonly followers: readonly Follower[]
  readonly links: readonly { readonly uploadIds: readonly UploadId[]; readonly messageId: MessageId }[]
}

/** Sends the messages that can be sent now. */
export function decideDelivery(scope: ServerScope, ready: readonly Ready[]): Decision<Delivery> {
  const late: Refused[] = []
  const messages: MessageSent[] = []
  const sent: Due[] = []
  const removals: Fact[] = []
  const followers: Follower[] = []
  const begun = new Set<string>() // Topics of earlier messages of the batch.
  for (const one of ready) {
    const { due } = one
    if (!scope.state.getUser(due.userId).isActive) {
      late.push({ kind: 'refused', due, reason: undefined })
      continue
    }
    try {
      const isStart = one.kind === 'channel' && !one.request.isKnown && !begun.has(one.place)
      const message = createMessage(scope, one, begun)
      messages.push(message)
      sent.push(due)
      removals.push(removalOf(due, true))
      if (due.kind === 'message') followers.push({ due, isStart, mentions: message.mentions ?? [] })
    } catch (error) {
      late.push({ kind: 'refused', due, reason: reasonOf(error) })
    }
  }
  const idOf = (firstId: EventId, index: number) => (firstId + index) as MessageId
  const links = (firstId: EventId) =>
    messages.flatMap(({ uploadIds }, index) =>
      uploadIds ? [{ uploadIds, messageId: idOf(firstId, index) }] : [],
    )
  return {
    events: [...messages, ...removals],
    reply: (firstId) => ({
      sent: sent.map((due, index) => ({ due, messageId: idOf(firstId, index) })),
      late,
      followers,
      links: links(firstId),
    }),
  }
}

function createMessage(scope: ServerScope, one: Ready, begun: Set<string>): MessageSent {
  if (one.kind === 'reminder') return createNotice(scope, one.notice)
  const sender = scopeFor(scope, one.due.userId)
  if (one.kind === 'direct') return createDirectMessage(sender, one.request)
  const isKnown = one.request.isKnown || begun.has(one.place)
  const message = createChannelMessage(sender, { ...one.request, isKnown })
  begun.add(one.place)
  return message
}
