/** CPU time of rendering for each user, counted per minute. */

const WINDOW_MS = 60_000
/** The share of a user's minute for previews: a user who views many can still send. */
const PREVIEW_SHARE = 0.5

/** The user of a text, and whether the text is sent or only previewed. Edits are sends. */
export interface RenderShare {
  readonly userId: number
  readonly kind: 'send' | 'preview'
}

/** The server's own texts: they take turns like a user's, and have no limit. */
export const SHARE_OF_SERVER: RenderShare = { userId: 0, kind: 'send' }

/** Counts CPU milliseconds by user; a new minute starts with the first text after the last one. */
export class RenderBudget {
  readonly #msMax: number
  readonly #spentMs = new Map<number, number>()
  #windowStartMs = Number.NEGATIVE_INFINITY

  /** `msMax` is each user's budget per minute. */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  /** Seconds until the user may render again; undefined if they may now. */
  findWaitSeconds({ userId, kind }: RenderShare, nowMs: number): number | undefined {
    const leftMs = this.#windowStartMs + WINDOW_MS - nowMs
    if (leftMs <= 0) return undefined
    const ms = kind === 'preview' ? this.#msMax * PREVIEW_SHARE : this.#msMax
    return (this.#spentMs.get(userId) ?? 0) < ms ? undefined : Math.max(1, Math.ceil(leftMs / 1000))
  }

  /** Counts a text's CPU time. */
  spend({ userId }: RenderShare, ms: number, nowMs: number): void {
    if (userId === SHARE_OF_SERVER.userId) return
    if (nowMs - this.#windowStartMs >= WINDOW_MS) {
      this.#windowStartMs = nowMs
      this.#spentMs.clear()
    }
    this.#spentMs.set(userId, (this.#spentMs.get(userId) ?? 0) + ms)
  }
}
