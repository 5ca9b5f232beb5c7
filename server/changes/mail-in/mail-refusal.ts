/** A mail that cannot become a message. */

import type { Values } from '../../../packages/texts/icu.ts'

/** Its text is a whole sentence of the catalogues, for the person who gets a mail about it. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal'
  readonly textId: string
  readonly values: Values | undefined

  constructor(textId: string, values?: Values) {
    super(textId)
    this.textId = textId
    this.values = values
  }
}
