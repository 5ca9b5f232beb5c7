/** Strict base64. */

/** The bytes; undefined of anything that is not base64, which Node would read as well. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
