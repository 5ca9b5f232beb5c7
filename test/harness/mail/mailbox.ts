/** The mails of a test server as their recipients read them. */

import { pollUntil } from '../../services/poll-until.ts'
import type { MailServer, ReceivedMail } from './start-mail-server.ts'
import type { TestServer } from '../servers/start-server.ts'

/** All mailboxes of a mail server. */
export interface Mailboxes {
  /** Resolves once no mail waits any more. */
  settle(): Promise<void>
  /** The mails to an address, oldest first, once none waits. */
  read(address: string): Promise<ReceivedMail[]>
  /** The link in the newest mail to an address. */
  link(address: string): Promise<string>
}

/** Opens the mailboxes that get the mails of a server with mail workers. */
export function openMailboxes(mailServer: MailServer, { node: { services } }: TestServer): Mailboxes {
  const settle = async () => {
    await pollUntil('all mails are done', async () => {
      const [row] = await services.sql`select count(*) from mails where due_at is not null`
      return row?.['count'] === 0
    })
  }
  const read = async (address: string) => {
    await settle()
    return mailServer.to(address)
  }
  return {
    settle,
    read,
    link: async (address) => linkOf((await read(address)).at(-1)),
  }
}

/** The link that a mail is for, which both of its forms have. */
export function linkOf(mail: ReceivedMail | undefined): string {
  const [link = ''] = mail?.text?.match(/https?:\S+/) ?? []
  if (link === '' || !mail?.html?.includes(`href="${link}"`)) throw new Error('no mail has a link')
  return link
}
