/**
 * Joins CRC-32 checksums of consecutive bytes. A checksum is a polynomial over the field of two elements; its highest
 * bit is the constant term. Appending n bytes multiplies it by x to the power of 8n.
 */

/** The polynomial of CRC-32 without its highest term. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000
/** The polynomial x. */
const X = 0x40000000

/** x to the powers of 1, 2, 4, 8 and so on. */
const POWERS: readonly number[] = makePowers()

/** The factor that moves a checksum past this many bytes. */
export function shiftOf(bytes: number): number {
  let shift = ONE
  let power = 3 // A byte has eight bits.
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = multiply(POWERS[power % POWERS.length] as number, shift)
    power++
  }
  return shift
}

/** The checksum of two parts, from their checksums and the second part's `shiftOf`. */
export function joinChecksums(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0
}

function makePowers(): number[] {
  const powers = [X]
  while (powers.length < 32) {
    const last = powers.at(-1) as number
    powers.push(multiply(last, last))
  }
  return powers
}

/** The product modulo the polynomial. */
function multiply(one: number, other: number): number {
  let product = 0
  let term = other
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) product ^= term
    term = (term & 1) === 0 ? term >>> 1 : (term >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}
