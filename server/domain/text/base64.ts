/** Strict base64. */

/** Decodes base64; returns undefined for malformed text, which Node would accept. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
