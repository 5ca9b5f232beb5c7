/** Joining by a link, as people do: they confirm their address by a mail, then choose a name and a password. */

import type { Mailboxes } from './mailbox.ts'
import { type ShownPage, submitForm } from '../browser/visit-page.ts'

/** A person who joins. */
export interface Newcomer {
  readonly full_name: string
  readonly email: string
  readonly password: string
}

/** Asks for the mail of a link, and submits the form behind it; answers the page that follows. */
export async function joinByLink(
  mailboxes: Mailboxes,
  link: string,
  { email, ...account }: Newcomer,
): Promise<ShownPage> {
  return submitForm(await confirmAddress(mailboxes, link, email), account)
}

/** Asks for the mail of a link, and answers the link in it. */
export async function confirmAddress(mailboxes: Mailboxes, link: string, email: string): Promise<string> {
  const asked = await submitForm(link, { email })
  if (asked.status !== 200) throw new Error(`the page of the link answered ${asked.status}`)
  return mailboxes.link(email.trim())
}
