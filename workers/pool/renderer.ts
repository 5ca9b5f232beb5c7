/** Renders Markdown: short texts in place, within a budget, and all others in the threads of a pool. */

import { join } from 'node:path'
import { Piscina } from 'piscina'
import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { OverdueError } from './markdown/find-linkifier-matches.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'
import { FairQueue } from './fair-queue.ts'
import { RenderBudget, type RenderShare, SHARE_OF_SERVER } from './render-budget.ts'
import type { TaskResult, TextToRender } from './render-task.ts'

/** Up to so many characters, rendering in place takes less of this thread than handing over does. */
const IN_PLACE_LENGTH_MAX = 500
/** Milliseconds of rendering in place in one window; beyond it even short texts go to the pool. */
const IN_PLACE_MS_MAX = 20
const WINDOW_MS = 50
/** Milliseconds in place that are counted for a user: most texts take a hundredth of it. */
const IN_PLACE_COUNTED_MS = 0.5
/** Texts in one hand-over: enough to spread its cost, few enough to share the threads. */
const BATCH_LENGTH_MAX = 32
/** Characters in one hand-over, unless a lone text is longer: whoever comes next waits for all of it. */
const BATCH_CHARACTERS_MAX = 10_000
/** Texts that may wait for the pool, and characters of them; beyond either the server is overloaded. */
const WAITING_MAX = 10_000
const WAITING_CHARACTERS_MAX = 32 * 1024 * 1024
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

/** A user's texts took all that one user has in this minute. */
export class RenderBudgetError extends Error {
  override readonly name = 'RenderBudgetError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("the user's share of rendering is spent")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Formulas, highlighted code and dates in words take longer than their length tells, and load large programs first. */
const HEAVY = /\$\$|```|~~~|<time:(?![\dTZ:+. -]*>)/

interface Waiting extends TextToRender {
  readonly share: RenderShare
  /** Whether it is handed over by itself. */
  readonly isAlone: boolean
  readonly resolve: (rendered: RenderedMarkdown) => void
  readonly reject: (error: Error) => void
}

/**
 * The rendering of one process; its threads start with the first texts that need them. Users take turns, what is to
 * be sent goes before what is only looked at, and each user has so much of the processor in a minute.
 */
export class Renderer {
  readonly #idle: RenderThread[]
  readonly #threads: readonly RenderThread[]
  readonly #msMax: number
  readonly #budget: RenderBudget
  readonly #sends = new FairQueue<Waiting>()
  readonly #previews = new FairQueue<Waiting>()
  #isFilling = false
  #waitingCount = 0
  #waitingCharacters = 0
  #windowStartMs = 0
  #spentMs = 0
  #isClosed = false

  /** `msMax` bounds each text, `userMsPerMinute` all texts of one user. */
  constructor(threads: number, msMax: number, userMsPerMinute = Number.POSITIVE_INFINITY) {
    this.#threads = Array.from({ length: threads }, () => new RenderThread())
    this.#idle = [...this.#threads]
    this.#msMax = msMax
    this.#budget = new RenderBudget(userMsPerMinute)
  }

  /** The HTML alone of a text; fails as `renderMessage` does. */
  render(text: string, snapshot?: MentionSnapshot, share?: RenderShare): string | Promise<string> {
    const rendered = this.renderMessage(text, snapshot, share)
    return rendered instanceof Promise ? rendered.then(({ html }) => html) : rendered.html
  }

  /**
   * The HTML of a text, and what it tells the server; without a snapshot it names nobody. Rejects with a
   * `RenderError` where it takes too long or becomes too long. Throws or rejects with a `RenderBudgetError` where its
   * user has spent their minute, and throws a `RenderOverloadError` where too many texts wait.
   */
  renderMessage(
    text: string,
    snapshot?: MentionSnapshot,
    share = SHARE_OF_SERVER,
  ): RenderedMarkdown | Promise<RenderedMarkdown> {
    const startMs = performance.now()
    this.#requireBudget(share, startMs)
    const isHeavy = HEAVY.test(text)
    if (text.length <= IN_PLACE_LENGTH_MAX && !isHeavy) {
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
          const ms = performance.now() - startMs
          this.#spentMs += ms
          if (ms > IN_PLACE_COUNTED_MS) this.#budget.spend(share, ms, startMs)
        }
      }
    }
    if (this.#waitingCount >= WAITING_MAX || this.#waitingCharacters + text.length > WAITING_CHARACTERS_MAX)
      throw new RenderOverloadError('too many texts wait to be rendered')
    this.#waitingCount++
    this.#waitingCharacters += text.length
    return new Promise<RenderedMarkdown>((resolve, reject) => {
      this.#enqueue({ text, snapshot, share, isAlone: isHeavy, resolve, reject })
    }).finally(() => {
      this.#waitingCount--
      this.#waitingCharacters -= text.length
    })
  }

  /** Ends the threads; the texts that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #requireBudget(share: RenderShare, nowMs: number): void {
    const waitSeconds = this.#budget.findWaitSeconds(share, nowMs)
    if (waitSeconds !== undefined) throw new RenderBudgetError(waitSeconds)
  }

  /** What arrives in one turn of the event loop is handed over together. */
  #enqueue(waiting: Waiting): void {
    const { userId, kind } = waiting.share
    ;(kind === 'send' ? this.#sends : this.#previews).push(userId, waiting)
    if (this.#isFilling) return
    this.#isFilling = true
    setImmediate(() => {
      this.#isFilling = false
      this.#fillThreads()
    })
  }

  /** Texts wait here rather than in the pool, so that users take turns and waiting does not use up their time. */
  #fillThreads(): void {
    if (this.#isClosed) {
      for (const { reject } of [...this.#sends.clear(), ...this.#previews.clear()])
        reject(new RenderError('the renderer is closed'))
    }
    for (;;) {
      const thread = this.#idle.pop()
      if (!thread) return
      const batch = this.#takeBatch(this.#sends) ?? this.#takeBatch(this.#previews)
      if (!batch) return void this.#idle.push(thread)
      void this.#renderBatch(thread, batch).then(() => {
        this.#idle.push(thread)
        this.#fillThreads()
      })
    }
  }

  /** The texts that are rendered next, of all users in turn; undefined without any. */
  #takeBatch(queue: FairQueue<Waiting>): readonly Waiting[] | undefined {
    const batch: Waiting[] = []
    const nowMs = performance.now()
    let characters = 0
    for (let next = queue.peek(); next && batch.length < BATCH_LENGTH_MAX; next = queue.peek()) {
      const waitSeconds = this.#budget.findWaitSeconds(next.share, nowMs) // Spent by those before it, perhaps.
      if (waitSeconds !== undefined) {
        queue.shift()
        next.reject(new RenderBudgetError(waitSeconds))
        continue
      }
      characters += next.text.length
      if (batch.length > 0 && (next.isAlone || characters > BATCH_CHARACTERS_MAX)) break
      queue.shift()
      batch.push(next)
      if (next.isAlone) break
    }
    return batch.length > 0 ? batch : undefined
  }

  async #renderBatch(thread: RenderThread, batch: readonly Waiting[]): Promise<void> {
    try {
      const texts = batch.map(({ text, snapshot }) => ({ text, snapshot }))
      const results = await thread.render(texts, this.#msMax)
      const nowMs = performance.now()
      for (const [index, { share, resolve, reject }] of batch.entries()) {
        const { rendered, ms } = results[index] as TaskResult
        this.#budget.spend(share, ms, nowMs)
        if (rendered.html.length <= RENDERED_LENGTH_MAX) resolve(rendered)
        else reject(new RenderError('the text becomes too long when rendered'))
      }
    } catch (error) {
      // One hostile text must not fail the others: each gets a time limit of its own.
      if (batch.length > 1) for (const one of batch) this.#enqueue({ ...one, isAlone: true })
      else if (batch[0]) {
        this.#budget.spend(batch[0].share, this.#msMax, performance.now())
        batch[0].reject(new RenderError('the text takes too long to render', { cause: error }))
      }
    }
  }
}

/** One thread. */
class RenderThread {
  #pool: Piscina<readonly TextToRender[], TaskResult[]> | undefined
  /** Whether it has loaded its program, which takes longer than a text may. */
  #isWarm = false

  /** Past the time limit the thread is ended, the call rejects, and another thread stands in. */
  async render(texts: readonly TextToRender[], msMax: number): Promise<TaskResult[]> {
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
