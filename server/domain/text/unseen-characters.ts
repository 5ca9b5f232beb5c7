/** Finds invisible characters. */

/**
 * Position of a text's first control character, surrogate or unassigned code point, counted from 1 in code points.
 * Names with such characters could imitate others.
 */
export function findUnseenCharacter(text: string): number | undefined {
  const position = Array.from(text).findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character))
  return position < 0 ? undefined : position + 1
}
