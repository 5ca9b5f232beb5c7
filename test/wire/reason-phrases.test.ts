/** The reason phrases of answers, compared with those of Node. */

import { STATUS_CODES } from 'node:http'
import t from 'tap'
import { ERRORS } from '../../server/errors/api-error.ts'
import { REASON_PHRASES } from '../../server/wire/reason-phrases.ts'

t.test('[REASON1] every status of an error has a reason phrase, and each is that of Node', async (t) => {
  const known = Object.keys(REASON_PHRASES).map((status) => [status, STATUS_CODES[status]])
  t.strictSame(REASON_PHRASES, Object.fromEntries(known))
  for (const { status } of Object.values(ERRORS)) t.ok(REASON_PHRASES[status], `${status} has one`)
})
