/** Stale decisions about messages. */

/** A change of a message was decided on outdated data: load it and decide again. */
export class StaleMessageError extends Error {
  override readonly name: string = 'StaleMessageError'

  constructor(reason = 'the message has changed since the change was decided') {
    super(reason)
  }
}
