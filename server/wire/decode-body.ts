/** Decodes multipart bodies into fields and files. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { FIELDS_MAX, tooManyFields } from './decode-form.ts'
import { MultipartHeads, multipartType, readBoundary } from './multipart-head.ts'

/** Bytes of a field's name; the parser truncates longer ones. */
export const FIELD_NAME_BYTES_MAX = 1_000
/** Files of one request: no operation takes more than one, and all must notice a second one. */
export const FILES_MAX = 2
/** Header lines of a part: clients send three at most, and each costs the parser microseconds. */
export const HEADERS_PER_PART_MAX = 50
/** Bytes per write to the parser: the most that is read of a body with too many parts. */
const SLICE_BYTES = 16 * 1024

/** Reads the text fields of a multipart body, and its files if `files` is given. Rejects a malformed body. */
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
        // The most of both together.
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
    // A parser that is only paused would still scan the rest of the body.
    const feed = async () => {
      for (let start = 0; start < body.length && !isRefused; start += SLICE_BYTES) {
        if (start > 0) await nextTurn() // Gives other requests a turn.
        const slice = body.subarray(start, start + SLICE_BYTES)
        heads.push(slice)
        await new Promise<void>((written) => void parser.write(slice, () => written()))
      }
      if (!isRefused) parser.end()
    }
    // The parser's types promise a name and a value, but a part may have neither.
    parser.on('field', (name: string | undefined, value: string | undefined) => {
      if (name !== undefined) fields.set(name, value ?? '')
    })
    parser.on('fieldsLimit', () => refuse(tooManyFields()))
    parser.on('partsLimit', () => refuse(tooManyFields()))
    parser.on('file', (_name, file, fileName: string | undefined) => {
      file.on('error', refuse) // For a file that is cut short; without a listener the process would end.
      // Forms send an empty file name if no file was chosen.
      if (!files || files.length === FILES_MAX || fileName === '') file.resume()
      else collect(file, files)
    })
    parser.on('finish', resolve)
    parser.on('error', refuse)
    feed().catch(refuse)
  })
}

/** Adds a file once it is whole, in the order in which files began. */
function collect(file: NodeJS.ReadableStream, files: Uint8Array[]): void {
  const chunks: Uint8Array[] = []
  const place = files.push(Buffer.alloc(0)) - 1
  file.on('data', (chunk: Buffer) => chunks.push(chunk))
  file.on('end', () => {
    files[place] = Buffer.concat(chunks)
  })
}
