/** The weekly digest of a user who was away. */

import type { MailContent, MailedMessage } from '../mail-layout.ts'

export function digestMail({
  organization,
  entries,
  url,
  stopUrl,
}: {
  /** A plain name. */
  readonly organization: string
  readonly entries: readonly MailedMessage[]
  readonly url: string
  readonly stopUrl: string
}): MailContent {
  return {
    organization,
    subject: `This week at ${organization}`,
    paragraphs: ['You have been away for some days. This is where most was said meanwhile.'],
    messages: entries,
    action: { label: 'Open conversations', url },
    notes: ['You get this email once a week while you are away.'],
    stopUrl,
  }
}
