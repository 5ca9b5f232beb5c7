/** Form-encoded text, of a query or a body, as fields. */

import querystring from 'node:querystring'
import { fail } from '../api/errors.ts'

/** Fields of one request: operations have a few dozen parameters. */
export const FIELDS_MAX = 1_000

/** The fields of a query string or a form-encoded body, the last of equal names. What cannot be decoded stays as it is. */
export function decodeForm(text: string, fields: Map<string, string>): void {
  let count = 1
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('&', start)
    const end = stop < 0 ? text.length : stop
    if (stop >= 0 && ++count > FIELDS_MAX) throw tooManyFields()
    if (end > start) {
      const field = text.slice(start, end) // A look for what is not there would go on to the end of the text.
      const equals = field.indexOf('=')
      if (equals < 0) fields.set(decodeText(field), '')
      else fields.set(decodeText(field.slice(0, equals)), decodeText(field.slice(equals + 1)))
    }
    start = end + 1
  }
}

/** Dropping what is beyond the limit would let a parameter silently have its default. */
export function tooManyFields() {
  return fail('TOO_MANY_FIELDS', { countMax: FIELDS_MAX })
}

function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return String(querystring.parse(`=${text}`)['']) // It reads what it can.
  }
}
