/** Parts of a text that rendering replaces. */

/** A part that is replaced by generated HTML. */
export interface FoundHtml {
  readonly start: number
  readonly end: number
  readonly html: string
}

/** A part that becomes a link, with itself as its text. */
export interface FoundLink {
  readonly start: number
  readonly end: number
  readonly url: string
}
