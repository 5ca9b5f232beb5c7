/** Reads web pages in a separate thread: pages of strangers may take long, on purpose. */

import type { PageFacts, PageToRead } from './pages/read-page.ts'
import { TaskThread } from './task-thread.ts'

/** Milliseconds without work until the thread ends. */
const IDLE_MS = 60_000

/** The thread of one process; it starts with the first page. */
export class PageReader {
  readonly #msMax: number
  readonly #thread = new TaskThread<PageToRead | undefined, PageFacts | undefined>(
    'pages/page-task.ts',
    undefined,
    { idleTimeout: IDLE_MS },
  )

  /** The last page: the limit counts the time of one task, so they come one after another. */
  #turn: Promise<unknown> = Promise.resolve()

  /** `msMax` limits the work on each page. */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  /** Rejects if the page takes too long, or the thread is closed. */
  read(page: PageToRead): Promise<PageFacts> {
    const reading = this.#turn.then(async () => {
      await this.#thread.load()
      const facts = await this.#thread.run(page, this.#msMax)
      if (!facts) throw new Error('a page was not read')
      return facts
    })
    this.#turn = reading.catch(() => undefined)
    return reading
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}
