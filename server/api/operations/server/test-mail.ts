/** Whether mails leave the server, and a mail that tests it: for administrators, until mail works. */

import { askForTestMail, readMailResults } from '../../../../db/mail/mail-results.ts'
import { checkAdministrator, checkPerson } from '../../../decisions/check-caller.ts'
import { BOOLEAN, INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'

/** `GET /server/mail`: whether mails leave the server. */
export const getMailResults = operation({
  method: 'GET',
  path: '/server/mail',
  summary: 'Get whether mails leave the server',
  description: 'For administrators. An extension of this server.',
  access: 'user',
  params: {},
  reply: {
    is_configured: {
      schema: BOOLEAN,
      description: 'Whether the operator named a mail server. Otherwise mails are only written to files.',
    },
    sent_at: {
      schema: orNull(INTEGER),
      description:
        'When the mail server took a mail, some minutes old at most, in UNIX seconds; null for never.',
    },
    failed_at: {
      schema: orNull(INTEGER),
      description:
        'When it last took none, in UNIX seconds; null for never. Later than `sent_at`, mail fails now.',
    },
    problem: { schema: orNull(STRING), description: 'The reason of the last failure; null for none.' },
  },
  errors: ['BOT_REFUSED', 'ROLE_REQUIRED'],
  events: [],
  async run({ user, services: { sql, hasMailServer }, fail }) {
    checkPerson({ caller: user, fail })
    checkAdministrator({ caller: user, fail })
    const { sentAt, failedAt, problem } = await readMailResults(sql)
    return { is_configured: hasMailServer, sent_at: sentAt, failed_at: failedAt, problem }
  },
})

/** `POST /server/mail/test`: a mail to the caller. */
export const sendTestMail = operation({
  method: 'POST',
  path: '/server/mail/test',
  summary: 'Send a test mail to oneself',
  description:
    'For administrators, five an hour: `GET /server/mail` tells what became of it. An extension of this server.',
  access: 'user',
  params: {},
  reply: {},
  errors: ['BOT_REFUSED', 'ROLE_REQUIRED', 'TOO_MANY_TEST_MAILS'],
  events: [],
  async run({ user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    checkAdministrator({ caller: user, fail })
    if (!(await askForTestMail(sql, user.id, user.email))) throw fail('TOO_MANY_TEST_MAILS')
    return {}
  },
})
