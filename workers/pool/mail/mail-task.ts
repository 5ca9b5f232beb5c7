/** The pool's task: reads one mail, which may be hostile, within the time and the memory of its thread. */

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { type ReadMail, readMail } from './read-mail.ts'

// Linux applies the priority to this thread alone: people do not wait for a mail.
if (!isMainThread && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** The mail; undefined for one that is no mail, or has more levels than any program writes. */
export default async function read(raw: Uint8Array): Promise<ReadMail | undefined> {
  try {
    return await readMail(raw)
  } catch {
    return undefined
  }
}
