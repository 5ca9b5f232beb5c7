/** Records the answer of a push service. */

import type { Sql } from '../../../../db/connection/connect.ts'
import { dropWebPush, noteWebPushAnswers } from '../../../../db/personal/web-push.ts'
import type { WebPushId } from '../../../../server/domain/ids.ts'
import type { WebPushResult } from './post-web-push.ts'

/** Records an answer at its subscription, which ends if the service no longer knows it. */
export async function settleAnswer(sql: Sql, id: WebPushId, { kind, answer }: WebPushResult): Promise<void> {
  if (kind === 'gone') await dropWebPush(sql, id)
  else await noteWebPushAnswers(sql, [{ id, isTaken: kind === 'taken', answer }])
}
