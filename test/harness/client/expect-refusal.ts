/** Complete comparison of errors: strict clients reject unknown fields. */

import type { Answer } from './client.ts'

/** The part of a tap test that this needs. */
interface Comparing {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/** The answer must be exactly this error. */
export function expectRefusal(
  t: Comparing,
  { status, body }: Pick<Answer<object>, 'status' | 'body'>,
  msg: string,
  { status: wantedStatus = 400, code = 'BAD_REQUEST', ...extra }: Record<string, unknown> = {},
): void {
  t.same({ status, body }, { status: wantedStatus, body: { result: 'error', msg, code, ...extra } }, msg)
}
