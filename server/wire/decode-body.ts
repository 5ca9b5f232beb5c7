/** Multipart bodies as fields and files. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { FIELDS_MAX, tooManyFields } from './decode-form.ts'
import { MultipartHeads, multipartType, readBoundary } from './multipart-head.ts'

/** Bytes of a field's name in a multipart body; the parser cuts longer ones off. */
export const FIELD_NAME_BYTES_MAX = 1_000
/** Files of one request: no operation takes more than one, and all tell one from several. */
export const FILES_MAX = 2
/** Lines before a part's content: clients send three at most, and each costs the parser microseconds. */
export const HEADERS_PER_PART_MAX = 50
/** Bytes that the parser is given at a time: so much at most is read of a body that has too many parts. */
const SLICE_BYTES = 16 * 1024

/** The text fields of a multipart body, and its files where they are wanted. Rejects where the body is malformed. */
export function decodeMultipart(
  contentType: string,
  body: Buffer,
  fields: Map<string, string>,
  files: Uint8Array[] | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const boundary = readBoundary(contentType)
    const heads = new MultipartHeads(boundary)
    const parser = new Busboy({
      headers: { 'content-type': multipartType(boundary) },
      limits: {
        fields: FIELDS_MAX,
        // Parts that are neither take the longest of all.
        parts: FIELDS_MAX + FILES_MAX,
        headerPairs: HEADERS_PER_PART_MAX,
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fieldSize: body.length,
      },
    })
    let isRefused = false
    const refuse = (error: unknown) => {
      isRefused = true
      reject(error)
    }
    // Told to read no more, the parser would look through all the rest.
    const feed = async () => {
      for (let start = 0; start < body.length && !isRefused; start += SLICE_BYTES) {
        if (start > 0) await nextTurn() // Others have theirs between.
        const slice = body.subarray(start, start + SLICE_BYTES)
        heads.push(slice)
        await new Promise<void>((written) => void parser.write(slice, () => written()))
      }
      if (!isRefused) parser.end()
    }
    // The parser's types promise a name and a value; a part without them has neither.
    parser.on('field', (name: string | undefined, value: string | undefined) => {
      if (name !== undefined) fields.set(name, value ?? '')
    })
    parser.on('fieldsLimit', () => refuse(tooManyFields()))
    parser.on('partsLimit', () => refuse(tooManyFields()))
    parser.on('file', (_name, file, fileName: string | undefined) => {
      file.on('error', refuse) // A file that is cut short; without a listener it would end the process.
      // Without a name it is what a form sends where no file was chosen.
      if (!files || files.length === FILES_MAX || fileName === '') file.resume()
      else collect(file, files)
    })
    parser.on('finish', resolve)
    parser.on('error', refuse)
    feed().catch(refuse)
  })
}

/** Puts a file among the others when it has come whole; its place is taken at once. */
function collect(file: NodeJS.ReadableStream, files: Uint8Array[]): void {
  const chunks: Uint8Array[] = []
  const place = files.push(Buffer.alloc(0)) - 1
  file.on('data', (chunk: Buffer) => chunks.push(chunk))
  file.on('end', () => {
    files[place] = Buffer.concat(chunks)
  })
}
