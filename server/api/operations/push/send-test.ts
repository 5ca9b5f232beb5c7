/** `POST /mobile_push/test_notification`: sends a notification to the tokens of the caller's older apps. */

import { readPushTokens } from '../../../../db/personal/push-tokens.ts'
import { PUSH_TOKEN_LENGTH_MAX } from '../../../domain/limits.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { optional, text } from '../../params.ts'
import { formsOf } from './push-params.ts'
import { PUSH_TEST_ERRORS, sendPushTest } from './send-push-test.ts'

export const sendTest = operation({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Send a test notification',
  description:
    'Sends a test notification to one token of the caller or to all. The reply follows once the relay has ' +
    'accepted it, or at once if the caller has no tokens.',
  access: 'user',
  isDeprecated: true,
  params: {
    token: optional(text({ lengthMax: PUSH_TOKEN_LENGTH_MAX }), 'The token; all tokens by default.'),
  },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_UNKNOWN', ...PUSH_TEST_ERRORS],
  events: [],
  async run({ params, user, services, requestId, fail }) {
    checkPerson({ caller: user, fail })
    const { token } = params
    const tokens = await readPushTokens(
      services.sql,
      user.id,
      token === undefined ? undefined : formsOf(token),
    )
    if (tokens.length === 0) {
      if (token !== undefined) throw fail('PUSH_TOKEN_UNKNOWN')
      return {} // The relay gets all of them.
    }
    await sendPushTest({ services, user, requestId, fail }, { kind: 'tokens', tokens })
    return {}
  },
})
