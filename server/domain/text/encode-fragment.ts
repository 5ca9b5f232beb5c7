/** Encodes parts of an address behind its `#`. */

/** Percent-encodes fragments like this API family: with dots for percent signs, which routers would mangle. */
export function encodeFragment(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}
