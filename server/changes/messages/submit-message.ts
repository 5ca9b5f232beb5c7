/** Submits messages: each is committed in a batch with others, unless its links need a check. */

import { findSentMessage } from '../../../db/messages/messages.ts'
import type { Change } from '../../actors/committer.ts'
import type { Decide } from '../../decisions/decision.ts'
import type { SendRequest, SentMessage } from '../../decisions/messages/decide-send.ts'
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
  const { senderId, queueId, localId } = request.draft
  return committer.submit({
    kind,
    decide: (state) => decide(scopeFor({ state, now: nowSeconds(clock) }, senderId), request),
    async findEarlier() {
      if (queueId === null || localId === null) return undefined
      return (await findSentMessage(sql, senderId, queueId, localId)) as EventId | undefined
    },
  })
}
