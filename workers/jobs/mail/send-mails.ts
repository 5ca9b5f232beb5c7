/** Sends the mails that are due. */

import {
  claimMails,
  type ClaimedMail,
  findNextMail,
  HANDED_MAX,
  MAIL_KINDS,
  noteHanding,
  postponeMail,
  removeSurplusMails,
  settleMail,
} from '../../../db/mail/mails.ts'
import { noteMailAnswer, noteMailFailure, noteMailSent } from '../../../db/mail/mail-results.ts'
import type { NextDue } from '../../../db/due-work.ts'
import type { NotificationFigures } from '../notifications/notification-figures.ts'
import { composeMail } from './compose-mail.ts'
import type { MailContext } from './composed-mail.ts'
import type { SendMail } from './mail-transport.ts'

/** Writes a line to the log. */
type Log = (details: object, text: string) => void

/** The dependencies of sending. */
export interface MailWork extends MailContext {
  readonly send: SendMail
  readonly notified: NotificationFigures
  readonly logger: { readonly debug: Log; readonly info: Log; readonly warn: Log; readonly error: Log }
}

/** Sends all mails that are due; returns when the next one is. Concurrent runs are safe. */
export async function sendMails(work: MailWork): Promise<NextDue | undefined> {
  for (;;) {
    const due = await claimMails(work.sql)
    if (due.length === 0) return findNextMail(work.sql)
    await Promise.all(due.map((mail) => sendMail(work, mail)))
    for (const kind of new Set(due.map((mail) => mail.kind))) await removeSurplusMails(work.sql, kind)
  }
}

/** Removes what a batch left that ended between its mails and its end; then sends as above. */
export async function sweepMails(work: MailWork): Promise<NextDue | undefined> {
  for (const kind of MAIL_KINDS) await removeSurplusMails(work.sql, kind)
  return sendMails(work)
}

/**
 * Sends one mail. The log never has its content: it may have a secret link.
 *
 * A mail is handed over by its last byte. A worker that ends between that and its note of the answer leaves a mail that may
 * have arrived: it is sent once more, under the same id, and never a third time.
 */
async function sendMail(work: MailWork, mail: ClaimedMail): Promise<void> {
  const { sql, send, logger } = work
  const { id, kind, tries, handed } = mail
  if (handed >= HANDED_MAX) {
    logger.error({ mail: id, kind, to: mail.recipient, tries }, UNCLEAR)
    return settleMail(sql, mail)
  }
  const composed = await composeMail(work, mail)
  if (!composed) {
    if (kind === 'messages') work.notified.skipped++
    return settleMail(sql, mail)
  }
  const { to } = composed
  const noteAnswer = async (answer: string, isTaken: boolean) => {
    if (mail.userId !== null && (kind === 'messages' || kind === 'digest'))
      await noteMailAnswer(sql, { userId: mail.userId, email: to }, { answer, isTaken })
  }
  let isHanded = false
  const result = await send(composed, id, async () => {
    if (!(await noteHanding(sql, mail))) throw new Error(`another worker has the mail ${id}`)
    isHanded = true
  })
  switch (result.kind) {
    case 'sent':
      noteResult(work, mail, 'sent')
      await settleMail(sql, mail) // First: if a note fails, the mail is not sent again.
      if (result.file !== undefined) logger.info({ file: result.file, kind }, 'a mail is written to a file')
      else {
        logger.debug({ mail: id, kind }, 'a mail is sent')
        await noteMailSent(sql)
      }
      return noteAnswer('250', true)
    case 'refused':
    case 'failed': {
      const { code, status } = result
      await noteAnswer(status === undefined ? 'no answer' : String(status), false)
      // The mail server may refuse one address and be well.
      if (result.kind === 'failed' || kind === 'test') await noteMailFailure(sql, problemOf(result))
      const isUnclear = isHanded && status === undefined
      const reason = { mail: id, kind, to, tries, code, status }
      if (isUnclear && handed + 1 >= HANDED_MAX) {
        logger.error(reason, UNCLEAR)
        return settleMail(sql, mail)
      }
      if (result.kind === 'failed' && !mail.isLast) {
        await postponeMail(sql, mail, isUnclear)
        return logger.warn(reason, 'a mail was not sent, and is tried again')
      }
      noteResult(work, mail, 'failed')
      logger.error(reason, 'a mail is given up')
      return settleMail(sql, mail)
    }
  }
}

function noteResult(
  { notified, clock }: MailWork,
  { kind, askedAt }: ClaimedMail,
  result: 'sent' | 'failed',
) {
  if (kind !== 'messages') return
  notified[result]++
  if (result === 'sent') notified.lagSeconds.observe(Math.max(0, clock.nowMs() / 1000 - askedAt))
}

/** The problem for administrators, without what the mail server said: that may have addresses. */
function problemOf({ code, status }: { readonly code: string; readonly status: number | undefined }): string {
  return status === undefined ? code : `${code} (${status})`
}

const UNCLEAR = 'a mail is given up: it may have arrived twice, or not at all'
