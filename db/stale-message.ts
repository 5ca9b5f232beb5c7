/** What was decided of a message that has changed since. */

/** Thrown where a change of a message was decided on what is no longer so: it is to be looked up and decided again. */
export class StaleMessageError extends Error {
  override readonly name: string = 'StaleMessageError'

  constructor(reason = 'the message has changed since the change was decided') {
    super(reason)
  }
}
