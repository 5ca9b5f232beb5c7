/** Visitors: people who read web-public channels without an account. */

import type { State } from '../apply.ts'

/** Whether the state is a visitor's: it has no queue. */
export function isVisitor({ queue_id: queueId }: Pick<State, 'queue_id'>): boolean {
  return queueId === null
}
