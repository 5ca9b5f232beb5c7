/** Characters that cannot be seen. */

/** Where a text's first control character, surrogate or unassigned code point is, counted from 1 in code points: names could be forged with them. */
export function findUnseenCharacter(text: string): number | undefined {
  const position = Array.from(text).findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character))
  return position < 0 ? undefined : position + 1
}
