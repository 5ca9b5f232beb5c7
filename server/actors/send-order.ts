/** Keeps one sender's sends to one destination in order, however long rendering takes. */

import type { UserId } from '../domain/ids.ts'

/** The order of one destination's sends. A sender's slow message does not delay other senders. */
export class SendOrder {
  /** By sender: settles after the last waiting send. */
  readonly #tails = new Map<UserId, Promise<void>>()

  /** Calls `enter` with the rendered message in its turn. */
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
      return enter(ready) // The turn ends here: the committer keeps the order from now on.
    } finally {
      // A send that fails to render yields its turn only after those before it.
      void Promise.resolve(before).then(() => {
        endTurn()
        if (this.#tails.get(senderId) === turnEnded) this.#tails.delete(senderId)
      })
    }
  }
}
