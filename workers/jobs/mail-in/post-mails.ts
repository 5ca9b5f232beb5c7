/** Makes messages of mails that arrived, and says why if it cannot. */

import {
  claimReceived,
  type ClaimedReceived,
  findNextReceived,
  postponeReceived,
  refuseReceived,
  settleReceived,
} from '../../../db/mail/received-mails.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { hasMail } from '../../../db/mail/mails.ts'
import type { NextDue } from '../../../db/due-work.ts'
import { findTarget, type MailTarget } from '../../../server/changes/mail-in/mail-addresses.ts'
import { noticeTexts } from '../../../server/decisions/notice-wording.ts'
import type { ServerTexts } from '../../../server/texts/texts.ts'
import { MailRefusal } from '../../../server/changes/mail-in/mail-refusal.ts'
import { type MailServices, postReply, postToChannel } from '../../../server/changes/mail-in/post-mail.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import type { Filing } from '../../../server/changes/uploads/uploads.ts'
import type { User } from '../../../server/domain/entities.ts'
import { isActivePerson } from '../../../server/domain/users/user-access.ts'
import { ApiError } from '../../../server/errors/api-error.ts'
import type { MailReader } from '../../pool/mail-reader.ts'
import type { ReadMail } from '../../pool/mail/read-mail.ts'
import { plainName } from '../mail/plain-name.ts'
import type { OpenSender } from '../share-sender.ts'
import type { MailInFigures, Result } from './mail-in-figures.ts'

/** Tries for a mail that its reading does not survive; more would not help. */
const READINGS_MAX = 3
/** From here on a status of the API is a failure of the server, which passes. */
const SERVER_FAILURE_STATUS = 500
const TOO_MANY_STATUS = 429

/** The dependencies of posting. */
export interface MailInWork extends Pick<Filing, 'fileStore' | 'uploads' | 'imager' | 'onError'> {
  readonly sql: Sql
  readonly openSender: OpenSender
  readonly reader: MailReader
  readonly figures: MailInFigures
  /** The host of the addresses from which the server sends its own mails. */
  readonly ownHost: string
  readonly logger: { debug(details: object, text: string): void; warn(details: object, text: string): void }
}

/** Posts all mails that are due, one after another; returns when the next one is. Concurrent runs are safe. */
export async function postMails(work: MailInWork): Promise<NextDue | undefined> {
  for (;;) {
    const mail = await claimReceived(work.sql)
    if (!mail) return findNextReceived(work.sql)
    try {
      await postMail(work, mail)
    } catch (error) {
      work.onError(error)
      await postponeReceived(work.sql, mail)
    }
  }
}

async function postMail(work: MailInWork, mail: ClaimedReceived): Promise<void> {
  const { sql, reader } = work
  const target = await findTarget(sql, mail.recipient)
  const sender = await work.openSender()
  await sender.catchUp()
  const owner = target && ownerOf(sender, target)
  // It ended since the mail arrived: nobody is left to hear of it.
  if (!owner) return settle(work, mail, 'dropped', 'the address has ended')
  let read: ReadMail | undefined
  try {
    read = await reader.read(mail.raw)
  } catch (error) {
    if (mail.tries < READINGS_MAX) throw error
  }
  const texts = noticeTexts(sender.services.state, owner.id)
  const { t } = texts
  if (!read) return refuse(work, mail, owner, { subject: '', reason: t('It could not be read.') })
  const loop = await findLoop(work, mail, target, read)
  if (loop !== undefined) return settle(work, mail, 'dropped', loop)
  try {
    await post(work, sender, target, { mail, read })
    await sender.tell()
    await settle(work, mail, 'posted')
  } catch (error) {
    const reason = reasonOf(error, texts)
    if (reason !== undefined) return refuse(work, mail, owner, { subject: read.subject, reason })
    if (!mail.isLast) throw error
    work.onError(error)
    work.figures.results.given_up++
    const details = { subject: read.subject, reason: t('The server could not post it for a day.') }
    await refuseReceived(sql, mail, { userId: owner.id, email: owner.email, ...details })
  }
}

function post(
  { fileStore, uploads, imager, onError }: MailInWork,
  sender: Sender,
  target: MailTarget,
  { mail, read }: { readonly mail: ClaimedReceived; readonly read: ReadMail },
): Promise<unknown> {
  const services: MailServices = { ...sender.services, fileStore, uploads, imager, onError }
  const posted = { ...read, id: mail.id, fromName: plainName(read.fromName) }
  return target.kind === 'reply'
    ? postReply(services, target.token, posted)
    : postToChannel(services, target.address, posted)
}

/** The user who hears of a refusal: nobody else, since anybody can write any address into a mail. */
function ownerOf({ services: { state } }: Sender, target: MailTarget): User | undefined {
  const id = target.kind === 'reply' ? target.token.userId : target.address.creatorId
  const user = state.users.get(id)
  return user?.isActive ? user : undefined
}

/** Why a mail is dropped without a word: bounces, answers of programs, and mails of this server itself. */
async function findLoop(
  { sql, ownHost }: MailInWork,
  { envelopeFrom }: ClaimedReceived,
  { kind }: MailTarget,
  { automation, messageId }: ReadMail,
): Promise<string | undefined> {
  if (envelopeFrom === '') return 'it is a bounce'
  const [, id, host] = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@([^<>@]+)>$/.exec(messageId) ?? []
  // Mail programs of people make ids of the same form, so the form and the host are not enough.
  const isOwn = id !== undefined && ((await hasMail(sql, id)) || (automation !== 'none' && host === ownHost))
  if (isOwn) return 'it is a mail of this server'
  if (automation === 'reply') return 'a program answered'
  // Programs and lists may write to channels, which is what many are for, but do not answer for people.
  return automation !== 'none' && kind === 'reply' ? 'a program wrote it' : undefined
}

/** The reason of a refusal; undefined for a failure that passes. */
function reasonOf(error: unknown, { t }: ServerTexts): string | undefined {
  if (error instanceof MailRefusal) return t(error.textId, error.values)
  if (!(error instanceof ApiError)) return undefined
  const isPassing = error.status >= SERVER_FAILURE_STATUS || error.status === TOO_MANY_STATUS
  return isPassing ? undefined : error.message
}

async function refuse(
  { sql, figures, logger }: MailInWork,
  mail: ClaimedReceived,
  owner: User,
  details: { readonly subject: string; readonly reason: string },
): Promise<void> {
  figures.results.refused++
  logger.debug({ mail: mail.id, reason: details.reason }, 'a mail was refused')
  if (!isActivePerson(owner)) return settleReceived(sql, mail) // Bots have no mailbox.
  await refuseReceived(sql, mail, { userId: owner.id, email: owner.email, ...details })
}

async function settle(
  { sql, figures, logger }: MailInWork,
  mail: ClaimedReceived,
  result: Result,
  reason?: string,
): Promise<void> {
  figures.results[result]++
  logger.debug({ mail: mail.id, result, reason }, 'a mail is done')
  await settleReceived(sql, mail)
}
