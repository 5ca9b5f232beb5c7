/** Sends a message between the parts of a change that the server commits in several. */

import type { Committer } from '../../../server/actors/committer.ts'

/**
 * Calls `send` once, when the first part is submitted; the second part waits until it is done. `stop` ends this, and
 * resolves with what `send` resolved with, if there was a part.
 */
export function sendBetween<Sent>(committer: Committer, send: () => Promise<Sent>) {
  const submit = committer.submit.bind(committer)
  let between: Promise<Sent> | undefined
  committer.submit = async (change) => {
    if (change.kind === 'messages') return submit(change)
    await between // Work between two parts may take all its time.
    const submitted = submit(change)
    between ??= send()
    return submitted
  }
  return {
    stop(): Promise<Sent> | undefined {
      committer.submit = submit
      return between
    },
  }
}
