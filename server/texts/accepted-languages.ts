/** The languages that a browser asks for: https://www.rfc-editor.org/rfc/rfc9110#name-accept-language */

/** Browsers send some few; the rest of a longer list does not count. */
const LANGUAGES_MAX = 20

/** The tags of an `Accept-Language` header, the most wanted first. */
export function readAcceptedLanguages(header: string): readonly string[] {
  return header
    .split(',', LANGUAGES_MAX)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim())
      const quality = parameters.find((one) => /^q=/i.test(one))?.slice(2) ?? '1'
      return { tag, quality: Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
