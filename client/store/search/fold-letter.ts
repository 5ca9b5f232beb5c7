/** Letters as people type names that have them: without case and accents. */

/** Letters that Unicode does not take apart into a base and a mark, and the sigma that ends words. */
const BASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', æ: 'a', œ: 'o', ß: 's', ς: 'σ' }),
)

/** Small letters without marks, each as one that people type for it; a name at a time, since a key may compare thousands. */
export const foldBases = (small: string): string =>
  small.replaceAll(/[łøđħıæœßς]/g, (letter) => BASES.get(letter) ?? letter)

/** One letter for each. */
export function foldLetter(letter: string): string {
  const [base = letter] = Array.from(letter.normalize('NFKD'))
  const small = base.toLowerCase()
  return BASES.get(small) ?? small
}
