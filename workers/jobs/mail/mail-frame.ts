/** The parts of a mail that its reader and the organization give it. */

import type { Sql } from '../../../db/connection/connect.ts'
import { readMailFrame } from '../../../db/mail/mail-frames.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { type ServerTexts, textsIn } from '../../../server/texts/texts.ts'
import { plainName } from './plain-name.ts'

export interface MailFrame {
  /** A plain name. */
  readonly organization: string
  /** In the language of the reader, or of the organization if the reader has no account. */
  readonly texts: ServerTexts
}

/** @param userId the account of the reader; null for a reader without one */
export async function findMailFrame(sql: Sql, userId: UserId | null): Promise<MailFrame> {
  const { organization, languages } = await readMailFrame(sql, userId)
  return { organization: plainName(organization), texts: textsIn(...languages) }
}
