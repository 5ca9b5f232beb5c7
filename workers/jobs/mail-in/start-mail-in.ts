/** Opens the door for mails, and starts to make messages of them. */

import { countWaiting, RECEIVED_NOTICE, storeReceived } from '../../../db/mail/received-mails.ts'
import { findMailTarget } from '../../../server/changes/mail-in/mail-addresses.ts'
import { findActing, findChannelFor } from '../../../server/changes/mail-in/mail-sender.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type { MailInDoor, MailInPattern } from '../../../server/domain/settings/mail-in-settings.ts'
import { isActivePerson } from '../../../server/domain/users/user-access.ts'
import type { Metric } from '../../../server/measures/metric.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { doorMetrics } from './mail-in-figures.ts'
import { type OpenDoor, openDoor } from './open-door.ts'
import { type MailInWork, postMails } from './post-mails.ts'

const JOB = 'post-mails'

/** The settings of the operator. */
export interface MailInSettings {
  readonly pattern: MailInPattern
  /** Undefined if mails arrive at another worker. */
  readonly door: MailInDoor | undefined
}

/** Mails that arrive, as they were started. */
interface StartedMailIn {
  readonly metrics: readonly Metric[]
  /** Undefined if mails arrive at another worker. */
  readonly door: OpenDoor | undefined
}

/** Starts both. */
export async function startMailIn(
  context: JobContext,
  work: MailInWork,
  clock: Clock,
  { pattern, door }: MailInSettings,
): Promise<StartedMailIn> {
  const { sql, figures, onError } = work
  await startAnnounced(
    context,
    {
      queue: 'mail-in',
      concurrency: 1, // A large mail takes memory.
      sweep: 'sweep-mail-in',
      sql,
      notice: RECEIVED_NOTICE,
      readNotice: () => ({ name: JOB, options: REMOVED_WHEN_FINISHED }),
      async run() {
        const due = await postMails(work)
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
  const metrics = figures.metrics(() => countWaiting(sql))
  if (!door) return { metrics, door: undefined }
  const opened = await openDoor({
    door,
    figures,
    findKey: (address) => findKey(work, pattern, address),
    store: (mail) => storeReceived(sql, mail),
    nowMs: () => clock.nowMs(),
    onError,
  })
  context.closers.push(() => opened.close())
  return { metrics: [...metrics, ...doorMetrics(opened)], door: opened }
}

/** The key of an address to which one may write now; its end, a lost right and a wrong token look alike. */
async function findKey(
  { sql, openSender }: MailInWork,
  pattern: MailInPattern,
  address: string,
): Promise<string | undefined> {
  const target = await findMailTarget(sql, pattern, address)
  if (!target) return undefined
  const sender = await openSender()
  await sender.catchUp()
  const { state } = sender.services
  if (target.kind === 'reply') {
    const user = state.users.get(target.token.userId)
    return user && isActivePerson(user) && user.email === target.token.email ? target.key : undefined
  }
  const acting = findActing(state, target.address)
  return acting && findChannelFor(state, acting, target.address) ? target.key : undefined
}
