/** Bodies: form-encoded or multipart, as fields. */

import querystring from 'node:querystring'
import { Busboy } from '@fastify/busboy'
import { fail } from '../api/errors.ts'

/** Fields of one request: operations have a few dozen parameters. */
const FIELDS_MAX = 1_000
/** Bytes of a field's name in a multipart body; the parser cuts longer ones off. */
const FIELD_NAME_BYTES_MAX = 1_000

/** The fields of a query string or a form-encoded body, the last of equal names. */
export function decodeForm(text: string, fields: Map<string, string>): void {
  if (text === '') return
  if (hasTooManyFields(text)) throw tooManyFields()
  const parsed = querystring.parse(text, '&', '=', { maxKeys: 0 })
  for (const name in parsed) {
    const value = parsed[name]
    const last = typeof value === 'string' ? value : value?.at(-1)
    if (last !== undefined) fields.set(name, last)
  }
}

/** Whether a content type carries fields. */
export function isMultipart(contentType: string): boolean {
  return contentType.slice(0, 20).toLowerCase().startsWith('multipart/form-data')
}

/** The text fields of a multipart body; files are passed over. Rejects where the body is malformed. */
export function decodeMultipart(
  contentType: string,
  body: Buffer,
  fields: Map<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fields: FIELDS_MAX, fieldNameSize: FIELD_NAME_BYTES_MAX, fieldSize: body.length },
    })
    // The parser's types promise a name and a value; a part without them has neither.
    parser.on('field', (name: string | undefined, value: string | undefined) => {
      if (name !== undefined) fields.set(name, value ?? '')
    })
    parser.on('fieldsLimit', () => reject(tooManyFields()))
    parser.on('file', (_name, file) => {
      file.on('error', reject) // A file that is cut short; without a listener it would end the process.
      file.resume()
    })
    parser.on('finish', resolve)
    parser.on('error', reject)
    parser.end(body)
  })
}

function hasTooManyFields(text: string): boolean {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0 && count <= FIELDS_MAX; at = text.indexOf('&', at + 1)) count++
  return count > FIELDS_MAX
}

/** Dropping what is beyond the limit would let a parameter silently have its default. */
function tooManyFields() {
  return fail('TOO_MANY_FIELDS', { countMax: FIELDS_MAX })
}
