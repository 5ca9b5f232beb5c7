/** Keeps the sends of one sender to one destination in the order of their arrival, however long rendering takes. */

import type { UserId } from '../domain/ids.ts'

/** The order of one destination's sends. One sender's slow message does not hold up the others. */
export class SendOrder {
  /** By sender, what ends when the last of the sends that wait for their turn has had it. */
  readonly #tails = new Map<UserId, Promise<void>>()

  /** Calls `enter` with what was rendered when it is this send's turn. */
  async send<Rendered, Sent>(
    senderId: UserId,
    rendered: Rendered | Promise<Rendered>,
    enter: (rendered: Rendered) => Promise<Sent>,
  ): Promise<Sent> {
    const before = this.#tails.get(senderId)
    if (before === undefined && !(rendered instanceof Promise)) return enter(rendered)
    const { promise: turnEnded, resolve: endTurn } = Promise.withResolvers<void>()
    this.#tails.set(senderId, turnEnded)
    try {
      const [ready] = await Promise.all([rendered, before])
      return enter(ready) // The turn ends when the send has entered: the committer keeps the order from there.
    } finally {
      // A send that could not be rendered gives way, and is forgotten, only when those before it have.
      void Promise.resolve(before).then(() => {
        endTurn()
        if (this.#tails.get(senderId) === turnEnded) this.#tails.delete(senderId)
      })
    }
  }
}
