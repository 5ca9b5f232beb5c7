/** A finding of `check`. */

/** Differences of one kind. */
export interface Difference {
  readonly kind: string
  readonly text: string
  readonly ids: readonly string[]
}
