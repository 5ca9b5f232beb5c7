/** Reads mails in a separate thread: mails of strangers may take long, on purpose. */

import type { ReadMail } from './mail/read-mail.ts'
import { TaskThread } from './task-thread.ts'

/** Milliseconds without work until the thread ends. */
const IDLE_MS = 60_000

/** The thread of one process; it starts with the first mail. */
export class MailReader {
  readonly #msMax: number
  readonly #thread = new TaskThread<Uint8Array, ReadMail | undefined>('mail/mail-task.ts', new Uint8Array(), {
    idleTimeout: IDLE_MS,
  })

  /** `msMax` limits the work on each mail. */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  /** The mail; undefined for bytes that are none. Rejects if it takes too long, or the thread is closed. */
  async read(raw: Uint8Array): Promise<ReadMail | undefined> {
    await this.#thread.load()
    return this.#thread.run(raw, this.#msMax)
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}
