/** Texts in the part of an address after `#`: percent-encoded, with dots for the percent signs. */

/** Encodes one segment; browsers and other programs leave the result as it is. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/** The text of a segment, also if a program encoded it with percent signs; undefined if it is no encoded text. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment.replaceAll('.', '%'))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
