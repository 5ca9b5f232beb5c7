/** The bounds of a page of messages. */

/** The anchor after every message: it fits the doubles of every client. */
export const NEWEST = 10_000_000_000_000_000
/** Anchors from here on mean the newest message, too: no message has such an id. */
export const NEWEST_MIN = 9_000_000_000_000_000

/** How many messages around an anchor, which is a message id. */
export interface PageBounds {
  readonly anchor: number
  readonly before: number
  readonly after: number
  readonly isAnchorIncluded: boolean
}
