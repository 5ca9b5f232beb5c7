/** Renders Markdown: short texts in place, within a budget, and all others in a pool of threads. */

import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { OverdueError } from './markdown/find-linkifier-matches.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'
import { FairQueue } from './fair-queue.ts'
import { RenderBudget, type RenderShare, SHARE_OF_SERVER } from './render-budget.ts'
import type { TaskResult, TextToRender } from './render-task.ts'
import { TaskFigures } from './task-figures.ts'
import { TaskThread } from './task-thread.ts'
import { UNWATCHED, type WatchTask } from './watch-task.ts'

/** Characters up to which rendering in place takes less of this thread than a hand-over. */
const IN_PLACE_LENGTH_MAX = 500
/** Milliseconds of rendering in place per window; beyond it even short texts go to the pool. */
const IN_PLACE_MS_MAX = 20
const WINDOW_MS = 50
/** Milliseconds that a text rendered in place counts for its user: most texts take a hundredth of it. */
const IN_PLACE_COUNTED_MS = 0.5
/** Texts in one hand-over: enough to spread its cost, few enough to share the threads. */
const BATCH_LENGTH_MAX = 32
/** Characters in one hand-over, unless a single text is longer: the next text waits for all of it. */
const BATCH_CHARACTERS_MAX = 10_000
/** Texts that wait for the pool, and their characters; beyond either the server is overloaded. */
const WAITING_MAX = 10_000
const WAITING_CHARACTERS_MAX = 32 * 1024 * 1024
/** Characters of HTML; escapes and encodings make a message up to 12 times as long, a hostile table 70 times. */
const RENDERED_LENGTH_MAX = 200_000

type RenderThread = TaskThread<readonly TextToRender[], TaskResult[]>

/** A text that exceeded the limit of time or length. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
}

/** Too many texts are waiting. */
export class RenderOverloadError extends Error {
  override readonly name = 'RenderOverloadError'
}

/** A user's texts have used up their budget of this minute. */
export class RenderBudgetError extends Error {
  override readonly name = 'RenderBudgetError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("the user's share of rendering is spent")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Formulas, highlighted code and dates in words take longer than their length suggests, and load large programs first.
 */
const HEAVY = /\$\$|```|~~~|<time:(?![\dTZ:+. -]*>)/

interface Waiting extends TextToRender {
  readonly share: RenderShare
  /** Whether it is handed over alone. */
  readonly isAlone: boolean
  readonly sinceMs: number
  readonly resolve: (rendered: RenderedMarkdown) => void
  readonly reject: (error: Error) => void
}

/**
 * The rendering of one process; its threads start with the first texts that need them. Users take turns, sends go
 * before previews, and each user has a budget of CPU time per minute.
 */
export class Renderer {
  readonly #idle: RenderThread[]
  readonly #threads: readonly RenderThread[]
  readonly #msMax: number
  readonly #watch: WatchTask
  readonly #budget: RenderBudget
  readonly figures = new TaskFigures()
  /** Texts that were rendered in place. */
  inPlace = 0
  /** Texts whose user had used up their minute. */
  overBudget = 0
  readonly #sends = new FairQueue<Waiting>()
  readonly #previews = new FairQueue<Waiting>()
  #isFilling = false
  #waitingCount = 0
  #waitingCharacters = 0
  #windowStartMs = 0
  #spentMs = 0
  #isClosed = false

  /** `msMax` limits each text, `userMsPerMinute` all texts of one user. */
  constructor(threads: number, msMax: number, userMsPerMinute = Number.POSITIVE_INFINITY, watch = UNWATCHED) {
    this.#watch = watch
    this.#threads = Array.from(
      { length: threads },
      () => new TaskThread('render-task.ts', [], { minThreads: 1 }),
    )
    this.#idle = [...this.#threads]
    this.#msMax = msMax
    this.#budget = new RenderBudget(userMsPerMinute)
  }

  /** Only the HTML of a text; fails like `renderMessage`. */
  render(text: string, snapshot?: MentionSnapshot, share?: RenderShare): string | Promise<string> {
    const rendered = this.renderMessage(text, snapshot, share)
    return rendered instanceof Promise ? rendered.then(({ html }) => html) : rendered.html
  }

  /**
   * The HTML of a text, with its findings; without a snapshot it has no mentions. Rejects with a `RenderError` if it
   * takes too long or becomes too long. Throws or rejects with a `RenderBudgetError` if its user has used up their
   * minute, and throws a `RenderOverloadError` if too many texts are waiting.
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
          const rendered = renderMarkdown(text, snapshot, startMs + IN_PLACE_MS_MAX)
          this.inPlace++
          return rendered
        } catch (error) {
          if (!(error instanceof OverdueError)) throw error
        } finally {
          const ms = performance.now() - startMs
          this.#spentMs += ms
          if (ms > IN_PLACE_COUNTED_MS) this.#budget.spend(share, ms, startMs)
        }
      }
    }
    if (this.#waitingCount >= WAITING_MAX || this.#waitingCharacters + text.length > WAITING_CHARACTERS_MAX) {
      this.figures.refused++
      throw new RenderOverloadError('too many texts wait to be rendered')
    }
    this.#waitingCount++
    this.#waitingCharacters += text.length
    const rendering = new Promise<RenderedMarkdown>((resolve, reject) => {
      this.#enqueue({ text, snapshot, share, isAlone: isHeavy, sinceMs: startMs, resolve, reject })
    }).finally(() => {
      this.#waitingCount--
      this.#waitingCharacters -= text.length
    })
    return this.#watch('render', rendering)
  }

  /** Texts that wait for the pool, or are in it. */
  get waitingCount(): number {
    return this.#waitingCount
  }

  /** Ends the threads; waiting texts are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #requireBudget(share: RenderShare, nowMs: number): void {
    const waitSeconds = this.#budget.findWaitSeconds(share, nowMs)
    if (waitSeconds === undefined) return
    this.overBudget++
    throw new RenderBudgetError(waitSeconds)
  }

  /** Texts of one turn of the event loop are handed over together. */
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

  /** Texts wait here instead of in the pool, so that users take turns and waiting does not count as work. */
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

  /** The next texts, of all users in turn; undefined for none. */
  #takeBatch(queue: FairQueue<Waiting>): readonly Waiting[] | undefined {
    const batch: Waiting[] = []
    const nowMs = performance.now()
    let characters = 0
    for (let next = queue.peek(); next && batch.length < BATCH_LENGTH_MAX; next = queue.peek()) {
      const waitSeconds = this.#budget.findWaitSeconds(next.share, nowMs) // Earlier texts may have used it up.
      if (waitSeconds !== undefined) {
        queue.shift()
        this.overBudget++
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
    for (const { sinceMs } of batch) this.figures.waitSeconds.observeSince(sinceMs)
    try {
      const texts = batch.map(({ text, snapshot }) => ({ text, snapshot }))
      const results = await thread.run(texts, this.#msMax)
      const nowMs = performance.now()
      for (const [index, { share, resolve, reject }] of batch.entries()) {
        const { rendered, ms } = results[index] as TaskResult
        this.#budget.spend(share, ms, nowMs)
        this.figures.done++
        this.figures.runSeconds.observe(ms / 1000)
        // The thread may finish before this process, on a busy machine, has a turn to end it.
        if (ms > this.#msMax) reject(new RenderError('the text takes too long to render'))
        else if (rendered.html.length <= RENDERED_LENGTH_MAX) resolve(rendered)
        else reject(new RenderError('the text becomes too long when rendered'))
      }
    } catch (error) {
      this.figures.killed++
      // One hostile text must not fail the others: each gets its own time limit.
      if (batch.length > 1) for (const one of batch) this.#enqueue({ ...one, isAlone: true })
      else if (batch[0]) {
        this.#budget.spend(batch[0].share, this.#msMax, performance.now())
        batch[0].reject(new RenderError('the text takes too long to render', { cause: error }))
      }
    }
  }
}
