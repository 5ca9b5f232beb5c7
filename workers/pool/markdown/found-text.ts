/** Parts of a text that become something else than text. */

/** A part that becomes HTML of our own making. */
export interface FoundHtml {
  readonly start: number
  readonly end: number
  readonly html: string
}

/** A part that becomes a link under its own text. */
export interface FoundLink {
  readonly start: number
  readonly end: number
  readonly url: string
}
