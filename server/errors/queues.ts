/** Failures of event queues. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

export const QUEUE_ERRORS = {
  QUEUE_UNKNOWN: worded(
    400,
    'BAD_EVENT_QUEUE_ID',
    ({ queueId }: { queueId: string }) => `Bad event queue ID: ${queueId}`,
    ({ queueId }) => ({ queue_id: queueId }),
  ),
  EVENT_PRUNED: badRequest(({ id }: { id: number }) => `An event newer than ${id} has already been pruned!`),
} satisfies ErrorCases
