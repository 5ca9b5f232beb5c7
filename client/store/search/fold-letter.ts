/** Letters as people type names that have them: without case and accents. */

/** Letters that Unicode does not take apart into a base and a mark. */
const BASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', æ: 'a', œ: 'o', ß: 's' }),
)

/** One letter for each. */
export function foldLetter(letter: string): string {
  const [base = letter] = Array.from(letter.normalize('NFKD'))
  const small = base.toLowerCase()
  return BASES.get(small) ?? small
}
