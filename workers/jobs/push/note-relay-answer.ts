/** Notes whether the relay serves the organization, and notifies clients of a change. */

import { readRelayAnswer } from '../../../db/notifications/relay-state.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { decideRelayAnswer } from '../../../server/decisions/push/note-reach.ts'
import type { PushContext } from './push-context.ts'

/** Most answers are the same as before: these cost one small query, and no state. */
export async function noteRelayAnswer(
  { sql, openSender }: Pick<PushContext, 'sql' | 'openSender'>,
  canPush: boolean,
): Promise<void> {
  if ((await readRelayAnswer(sql)) === canPush) return
  const sender = await openSender()
  await submitForServer(sender.services, (scope) => decideRelayAnswer(scope, canPush))
  await sender.tell()
}
