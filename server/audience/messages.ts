/** Recipients of messages, and of facts about uploads. */

import type { EventOf, NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { type Notifier, type Notifiers, toUsers } from './notifier.ts'

type MessageFact = EventOf<'message' | 'attachment/add' | 'attachment/update' | 'attachment/remove'>

/** Subscribers of the channel as of the message's number, or the partners of the conversation. */
const receivers: Notifier<EventOf<'message'>> = (facts) =>
  facts.map((event): NewEvent => {
    const { channelId, userIds } = event
    return channelId === null
      ? { event, audience: toUsers(UserSet.of(userIds ?? [])) }
      : { event, audience: { kind: 'subscribers', channelId } }
  })

/** The owners of removed uploads. */
export const ownersOfRemoved = (facts: readonly EventOf<'attachment/remove'>[]): readonly NewEvent[] =>
  facts.map((fact) => toOwner(fact, fact.ownerId))

const toOwner = (
  event: EventOf<'attachment/add' | 'attachment/update' | 'attachment/remove'>,
  ownerId: UserId,
) => ({
  event,
  audience: toUsers(UserSet.of([ownerId])),
})

export const MESSAGE_NOTIFIERS: Notifiers<MessageFact> = {
  message: receivers,
  'attachment/add': (facts) => facts.map((fact) => toOwner(fact, fact.upload.ownerId)),
  'attachment/update': (facts, { before: { rights } }) =>
    facts
      .filter(({ upload }) => rights.activeUsers.has(upload.ownerId))
      .map((fact) => toOwner(fact, fact.upload.ownerId)),
  'attachment/remove': ownersOfRemoved,
}
