/** Failures of reading messages. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

export const PAGE_ERRORS = {
  NARROW_UNSUPPORTED: badRequest(
    ({ operator }: { operator: string }) => `Operator ${operator} not supported.`,
  ),
  NARROW_OPERAND_UNSUPPORTED: badRequest(
    ({ operand }: { operand: string }) => `Operand ${operand} not supported.`,
  ),
  NARROW_INVALID: worded(
    400,
    'BAD_NARROW',
    ({ reason }: { reason: string }) => `Invalid narrow operator: ${reason}`,
    ({ reason }) => ({ desc: reason }),
  ),
  PAGE_TOO_LONG: badRequest(
    ({ countMax }: { countMax: number }) => `Too many messages requested (maximum ${countMax}).`,
  ),
  ANCHOR_INVALID: badRequest('Invalid anchor'),
  ANCHOR_UNEXPECTED: badRequest('The anchor can only be omitted where message_ids are given.'),
} satisfies ErrorCases
