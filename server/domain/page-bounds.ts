/** What of a run of messages a page holds. */

/** The anchor behind every message: it fits the doubles of every client. */
export const NEWEST = 10_000_000_000_000_000

/** How much of what is around an anchor, which is a message's id. */
export interface PageBounds {
  readonly anchor: number
  readonly before: number
  readonly after: number
  readonly isAnchorIncluded: boolean
}
