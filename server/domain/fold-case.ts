/** Comparing names without regard to case. */

/**
 * A text in lower case, one code point for one, as `lower` of the database makes it. JavaScript's own
 * goes by the context of a final sigma and splits the dotted capital I, so the two would disagree on
 * which names are the same.
 */
export function foldCase(text: string): string {
  return text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}
