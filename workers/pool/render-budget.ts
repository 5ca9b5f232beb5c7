/** What rendering takes of the processor for each user, counted by the minute. */

const WINDOW_MS = 60_000
/** Of a user's minute, what previews may take: who looks at many can still send. */
const PREVIEW_SHARE = 0.5

/** For whom a text is rendered, and whether it is to be sent or only looked at. Edits are sends. */
export interface RenderShare {
  readonly userId: number
  readonly kind: 'send' | 'preview'
}

/** The server's own texts: they take turns like a user's, and are not refused. */
export const SHARE_OF_SERVER: RenderShare = { userId: 0, kind: 'send' }

/** Counts milliseconds of the processor by user; a minute begins with the first text after the one before. */
export class RenderBudget {
  readonly #msMax: number
  readonly #spentMs = new Map<number, number>()
  #windowStartMs = Number.NEGATIVE_INFINITY

  /** `msMax` is what each user has in a minute. */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  /** Seconds until a text may come again; undefined where it may now. */
  findWaitSeconds({ userId, kind }: RenderShare, nowMs: number): number | undefined {
    const leftMs = this.#windowStartMs + WINDOW_MS - nowMs
    if (leftMs <= 0) return undefined
    const ms = kind === 'preview' ? this.#msMax * PREVIEW_SHARE : this.#msMax
    return (this.#spentMs.get(userId) ?? 0) < ms ? undefined : Math.max(1, Math.ceil(leftMs / 1000))
  }

  /** Counts what a text took. */
  spend({ userId }: RenderShare, ms: number, nowMs: number): void {
    if (userId === SHARE_OF_SERVER.userId) return
    if (nowMs - this.#windowStartMs >= WINDOW_MS) {
      this.#windowStartMs = nowMs
      this.#spentMs.clear()
    }
    this.#spentMs.set(userId, (this.#spentMs.get(userId) ?? 0) + ms)
  }
}
