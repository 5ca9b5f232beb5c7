/** Names within a text that has no elements, such as a title. */

const [FIRST_STRONG_ISOLATE, POP] = ['\u2068', '\u2069']

/** A name that doesn't turn what stands beside it, nor is turned. */
export function isolate(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name}${POP}`
}
