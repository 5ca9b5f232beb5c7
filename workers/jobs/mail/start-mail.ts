/** The queue of mails. */

import { MAIL_NOTICE } from '../../../db/mail/mails.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { type MailWork, sendMails, sweepMails } from './send-mails.ts'

const JOB = 'send-mails'
const SWEEP = 'sweep-mails'
/** Concurrent jobs, each with its own batch: one slow batch does not hold up the others. */
const CONCURRENCY = 2

/** Starts to send mails; after it resolves, no notice is missed. */
export function startMail(context: JobContext, work: MailWork, clock: Clock): Promise<void> {
  return startAnnounced(
    context,
    {
      queue: 'mail',
      concurrency: CONCURRENCY,
      sweep: SWEEP,
      sql: work.sql,
      notice: MAIL_NOTICE,
      // The claims in SQL share the mails among the workers.
      readNotice: () => ({ name: JOB, options: REMOVED_WHEN_FINISHED }),
      async run({ name }) {
        const due = await (name === SWEEP ? sweepMails(work) : sendMails(work))
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
}
