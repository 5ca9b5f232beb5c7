/** Texts that are held for long: the engine keeps a part of a text as a view, which holds the whole text in memory. */

/** Characters from which on a part is a view. */
const VIEW_LENGTH_MIN = 13

/** A text in memory of its own, where it was cut out of a longer one. */
export function ownText(part: string, whole: string): string {
  return part.length === whole.length || part.length < VIEW_LENGTH_MIN ? part : Buffer.from(part).toString()
}
