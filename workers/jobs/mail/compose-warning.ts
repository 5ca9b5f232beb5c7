/** Composes the mails that warn of another password or second factor. They hold no secret. */

import type { ClaimedMail } from '../../../db/mail/mails.ts'
import { findActiveAccount } from '../../../db/accounts/users.ts'
import { askResetUrl } from '../../../server/changes/users/set-password.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import type { ServerTexts } from '../../../server/texts/texts.ts'
import { findMailFrame } from './mail-frame.ts'
import { type MailContent, renderMail } from './mail-layout.ts'
import { timeIn } from './mail-times.ts'
import { plainName } from './plain-name.ts'
import { factorsChangedMail } from './templates/factors-changed.ts'
import { passwordChangedMail } from './templates/password-changed.ts'

/** It goes to the address at the time of the change, even if the account has another by now. */
export async function composePasswordChanged(
  context: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const { details } = mail
  if (!details || !('way' in details)) return undefined
  const { way } = details
  return compose(context, mail, (texts, common) => passwordChangedMail(texts, { ...common, way }))
}

/** The same for second factors. */
export async function composeFactorsChanged(
  context: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const { details } = mail
  if (!details || !('change' in details)) return undefined
  const { change } = details
  const securityUrl = `${context.publicUrl}/accounts/security`
  return compose(context, mail, (texts, common) =>
    factorsChangedMail(texts, { ...common, change, securityUrl }),
  )
}

/** The parts that warnings share; the names are plain ones. */
interface CommonParts {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly time: string
  readonly url: string
}

async function compose(
  { sql, publicUrl }: MailContext,
  { recipient, userId, askedAt }: ClaimedMail,
  contentOf: (texts: ServerTexts, common: CommonParts) => MailContent,
): Promise<ComposedMail | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(sql, userId)
  if (!account) return undefined
  const { organization, texts } = await findMailFrame(sql, userId)
  const content = contentOf(texts, {
    organization,
    name: plainName(account.fullName),
    email: recipient,
    time: timeIn(texts, askedAt),
    url: askResetUrl(publicUrl),
  })
  return { to: recipient, ...renderMail(content) }
}
