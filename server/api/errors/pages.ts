/** Failures in asking for messages. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const PAGE_ERRORS = {
  NARROW_UNSUPPORTED: worded(
    400,
    'BAD_REQUEST',
    ({ operator }: { operator: string }) => `Operator ${operator} not supported.`,
  ),
  NARROW_INVALID: worded(
    400,
    'BAD_NARROW',
    ({ reason }: { reason: string }) => `Invalid narrow operator: ${reason}`,
    ({ reason }) => ({ desc: reason }),
  ),
  PAGE_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many messages requested (maximum ${countMax}).`,
  ),
  ANCHOR_INVALID: plain(400, 'BAD_REQUEST', 'Invalid anchor'),
  ANCHOR_UNEXPECTED: plain(400, 'BAD_REQUEST', 'The anchor can only be omitted where message_ids are given.'),
} satisfies ErrorCases
