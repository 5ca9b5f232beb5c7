/** Texts that stay in memory for long. V8 stores a substring as a view, which keeps the whole text alive. */

/** Substrings of at least this many characters are views. */
const VIEW_LENGTH_MIN = 13

/** A copy of a substring, if it would keep a longer text in memory. */
export function ownText(part: string, whole: string): string {
  return part.length === whole.length || part.length < VIEW_LENGTH_MIN ? part : Buffer.from(part).toString()
}
