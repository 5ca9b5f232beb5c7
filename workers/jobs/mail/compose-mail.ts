/** Composes a mail when it is sent, from what is in the database by then. */

import { findResettable, storeReset } from '../../../db/password-resets.ts'
import { readOrganizationName } from '../../../db/organization.ts'
import type { ClaimedMail } from '../../../db/mails.ts'
import type { Sql } from '../../../db/connect.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { resetUrl } from '../../../server/changes/users/set-password.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { plainName } from './plain-name.ts'
import { passwordResetMail } from './templates/password-reset.ts'

/** A mail that is ready for the mail server. */
export interface ComposedMail extends RenderedMail {
  readonly to: string
}

/** The dependencies of a mail's content. */
export interface MailContext {
  readonly sql: Sql
  /** The address under which people reach the server. */
  readonly publicUrl: string
}

/** Composes a claimed mail; undefined if nobody should get it. */
export function composeMail(context: MailContext, mail: ClaimedMail): Promise<ComposedMail | undefined> {
  switch (mail.kind) {
    case 'password_reset':
      return composeReset(context, mail)
  }
}

/** Makes the link only now, so that its token is nowhere but in the mail. It goes to the address of the account. */
async function composeReset(
  { sql, publicUrl }: MailContext,
  { recipient }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const user = await findResettable(sql, recipient)
  if (!user) return undefined
  const { apiKey: token, keyHash } = newApiKey()
  await storeReset(sql, user.id, keyHash)
  const organization = plainName(await readOrganizationName(sql))
  const { email, fullName } = user
  const content = { organization, name: plainName(fullName), email, url: resetUrl(publicUrl, token) }
  return { to: email, ...renderMail(passwordResetMail(content)) }
}
