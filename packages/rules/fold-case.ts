/** Compares names without regard to case. */

/**
 * Lowercases a text code point by code point, as the database's `lower` does. JavaScript's own `toLowerCase` looks at
 * the context of a final sigma and splits the dotted capital I, so the two would disagree on equal names.
 */
export function foldCase(text: string): string {
  return text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}
