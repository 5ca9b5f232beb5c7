/** A mail that cannot become a message. */

/** The message is a whole sentence for the person who gets a mail about it. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal'
}
