/** Renders Markdown: short texts in place, within a budget, and all others in the threads of a pool. */

import { join } from 'node:path'
import { Piscina } from 'piscina'
import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { OverdueError } from './markdown/find-linkifier-matches.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'
import type { TextToRender } from './render-task.ts'

/** Up to so many characters, rendering in place takes less of this thread than handing over does. */
const IN_PLACE_LENGTH_MAX = 500
/** Milliseconds of rendering in place in one window; beyond it even short texts go to the pool. */
const IN_PLACE_MS_MAX = 20
const WINDOW_MS = 50
/** Texts in one hand-over: enough to spread its cost, few enough to share the threads. */
const BATCH_LENGTH_MAX = 32
/** Texts that may wait for the pool; beyond it the server is overloaded. */
const WAITING_MAX = 10_000
/** Characters of HTML; escapes and encodings make a message 12 times as long at most, a hostile table 70 times. */
const RENDERED_LENGTH_MAX = 200_000

/** A text that could not be rendered within the limits of time and length. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
}

/** Too many texts wait already. */
export class RenderOverloadError extends Error {
  override readonly name = 'RenderOverloadError'
}

/** Formulas and highlighted code take longer than their length tells, and load large programs first. */
const HEAVY = /\$\$|```|~~~/

interface Waiting extends TextToRender {
  readonly resolve: (rendered: RenderedMarkdown) => void
  readonly reject: (error: Error) => void
}

/** The rendering of one process; its threads start with the first texts that need them. */
export class Renderer {
  readonly #idle: RenderThread[]
  readonly #threads: readonly RenderThread[]
  readonly #msMax: number
  readonly #batches: (readonly Waiting[])[] = []
  #arrived: Waiting[] = []
  #waitingCount = 0
  #windowStartMs = 0
  #spentMs = 0
  #isClosed = false

  constructor(threads: number, msMax: number) {
    this.#threads = Array.from({ length: threads }, () => new RenderThread())
    this.#idle = [...this.#threads]
    this.#msMax = msMax
  }

  /** The HTML alone of a text; fails as `renderMessage` does. */
  render(text: string, snapshot?: MentionSnapshot): string | Promise<string> {
    const rendered = this.renderMessage(text, snapshot)
    return rendered instanceof Promise ? rendered.then(({ html }) => html) : rendered.html
  }

  /**
   * The HTML of a text, and what it tells the server; without a snapshot it names nobody. Rejects with a
   * `RenderError` where it takes too long or becomes too long, and throws a `RenderOverloadError` where
   * too many texts wait.
   */
  renderMessage(text: string, snapshot?: MentionSnapshot): RenderedMarkdown | Promise<RenderedMarkdown> {
    if (text.length <= IN_PLACE_LENGTH_MAX && !HEAVY.test(text)) {
      const startMs = performance.now()
      if (startMs - this.#windowStartMs > WINDOW_MS) {
        this.#windowStartMs = startMs
        this.#spentMs = 0
      }
      if (this.#spentMs < IN_PLACE_MS_MAX) {
        try {
          return renderMarkdown(text, snapshot, startMs + IN_PLACE_MS_MAX)
        } catch (error) {
          if (!(error instanceof OverdueError)) throw error
        } finally {
          this.#spentMs += performance.now() - startMs
        }
      }
    }
    if (this.#waitingCount >= WAITING_MAX) throw new RenderOverloadError('too many texts wait to be rendered')
    this.#waitingCount++
    return new Promise<RenderedMarkdown>((resolve, reject) => {
      if (this.#arrived.push({ text, snapshot, resolve, reject }) === 1) setImmediate(() => this.#handOver())
    }).finally(() => this.#waitingCount--)
  }

  /** Ends the threads; the texts that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #handOver(): void {
    const arrived = this.#arrived
    this.#arrived = []
    for (let start = 0; start < arrived.length; start += BATCH_LENGTH_MAX) {
      this.#batches.push(arrived.slice(start, start + BATCH_LENGTH_MAX))
    }
    this.#fillThreads()
  }

  /** Batches wait here rather than in the pool, so that waiting does not use up their time. */
  #fillThreads(): void {
    if (this.#isClosed) {
      for (const { reject } of this.#batches.splice(0).flat())
        reject(new RenderError('the renderer is closed'))
    }
    while (this.#batches.length > 0) {
      const thread = this.#idle.pop()
      if (!thread) return
      void this.#renderBatch(thread, this.#batches.shift() as readonly Waiting[]).then(() => {
        this.#idle.push(thread)
        this.#fillThreads()
      })
    }
  }

  async #renderBatch(thread: RenderThread, batch: readonly Waiting[]): Promise<void> {
    try {
      const texts = batch.map(({ text, snapshot }) => ({ text, snapshot }))
      const results = await thread.render(texts, this.#msMax)
      for (const [index, { resolve, reject }] of batch.entries()) {
        const rendered = results[index] as RenderedMarkdown
        if (rendered.html.length <= RENDERED_LENGTH_MAX) resolve(rendered)
        else reject(new RenderError('the text becomes too long when rendered'))
      }
    } catch (error) {
      // One hostile text must not fail the others: each gets a time limit of its own.
      if (batch.length > 1) this.#batches.push(...batch.map((one) => [one]))
      else batch[0]?.reject(new RenderError('the text takes too long to render', { cause: error }))
    }
  }
}

/** One thread. */
class RenderThread {
  #pool: Piscina<readonly TextToRender[], RenderedMarkdown[]> | undefined
  /** Whether it has loaded its program, which takes longer than a text may. */
  #isWarm = false

  /** Past the time limit the thread is ended, the call rejects, and another thread stands in. */
  async render(texts: readonly TextToRender[], msMax: number): Promise<RenderedMarkdown[]> {
    this.#pool ??= new Piscina({
      filename: join(import.meta.dirname, 'render-task.ts'),
      minThreads: 1,
      maxThreads: 1,
    })
    if (!this.#isWarm) await this.#pool.run([])
    this.#isWarm = true
    try {
      return await this.#pool.run(texts, { signal: AbortSignal.timeout(msMax) })
    } catch (error) {
      this.#isWarm = false
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
  }
}
