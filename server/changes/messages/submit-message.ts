/** Submits messages: each is committed in a batch with others, unless its links need a check. */

import { findSentMessage } from '../../../db/messages/messages.ts'
import type { Change } from '../../actors/committer.ts'
import type { Decide } from '../../decisions/decision.ts'
import type { SendRequest, SentMessage } from '../../decisions/messages/decide-send.ts'
import { markAgent } from '../../decisions/users/mark-agent.ts'
import { scopeFor } from '../../decisions/scope.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { EventId } from '../../domain/ids.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { Sending } from '../sending.ts'

/** Decides a message of its sender. */
export type DecideMessage<Request extends SendRequest> = Decide<ErrorName, Request, SentMessage>

/** Submits a user's message; a retry with the same mark of the same sender answers the first message. */
export function submitMessage<Request extends SendRequest>(
  { committer, clock, sql }: Sending,
  decide: DecideMessage<Request>,
  request: Request,
  kind: Change<SentMessage>['kind'] = 'messages',
): Promise<SentMessage> {
  const { draft, agent } = request
  const { senderId, queueId, localId } = draft
  return committer.submit({
    // A batch of messages has nothing but messages, so the mark of an agent needs a commit of its own.
    ...(agent ? { kind: 'structure', actorId: senderId } : { kind }),
    decide: (state) =>
      markAgent(decide(scopeFor({ state, now: nowSeconds(clock) }, senderId), request), senderId, agent),
    async findEarlier() {
      if (queueId === null || localId === null) return undefined
      return (await findSentMessage(sql, senderId, queueId, localId)) as EventId | undefined
    },
  })
}
