/** Refusals, compared whole: strict clients reject further fields. */

import type { Answer } from './client.ts'

/** As much of a tap test as this needs. */
interface Comparing {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/** The answer must be this refusal, and nothing more. */
export function expectRefusal(
  t: Comparing,
  { status, body }: Answer,
  msg: string,
  { status: wantedStatus = 400, code = 'BAD_REQUEST', ...extra }: Record<string, unknown> = {},
): void {
  t.same({ status, body }, { status: wantedStatus, body: { result: 'error', msg, code, ...extra } }, msg)
}
