/** A mail that was composed, and the dependencies of composing one. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type { MailInPattern } from '../../../server/domain/settings/mail-in-settings.ts'
import type { OpenSender } from '../share-sender.ts'
import type { RenderedMail } from './mail-layout.ts'

/** A mail that is ready for the mail server. */
export interface ComposedMail extends RenderedMail {
  readonly to: string
  /** The address for answers; undefined for that of the sender. */
  readonly replyTo?: string | undefined
}

/** The dependencies of a mail's content. */
export interface MailContext {
  readonly sql: Sql
  /** The address under which people reach the server. */
  readonly publicUrl: string
  readonly clock: Clock
  /** Opens the organization, for mails about messages. */
  readonly openSender: OpenSender
  /** The addresses at which mails can be answered; undefined for none. */
  readonly mailInPattern: MailInPattern | undefined
  /** The company's directory among the issuers of log-ins; undefined without one. */
  readonly directoryIssuer?: string | undefined
}
