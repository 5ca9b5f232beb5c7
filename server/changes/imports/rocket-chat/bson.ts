/**
 * Reads BSON, the form of MongoDB's dumps. Bytes within a document are not copied: their places say where they are in its
 * file, so that files of any size stay on the disk.
 */

/** Bytes of one document: MongoDB allows 16 MiB. */
export const DOCUMENT_BYTES_MAX = 17 * 1024 * 1024
/** The shortest document: its length and its end. */
const DOCUMENT_BYTES_MIN = 5
/** Documents within documents; MongoDB allows 100. */
const DEPTH_MAX = 100
const OBJECT_ID_BYTES = 12

/** The place of bytes in a document. */
export class BinaryPlace {
  readonly offset: number
  readonly length: number

  constructor(offset: number, length: number) {
    this.offset = offset
    this.length = length
  }
}

/** A document that is none. */
export class BsonError extends Error {
  override readonly name = 'BsonError'
}

/** The fields of a document. Ids are in hex, times are `Date`s; throws a `BsonError`. */
export function decodeBson(bytes: Buffer): Record<string, unknown> {
  try {
    const decoder = new Decoder(bytes)
    return decoder.document(0) as Record<string, unknown>
  } catch (error) {
    if (error instanceof RangeError) throw new BsonError('a document is cut off', { cause: error })
    throw error
  }
}

/** Whole documents of a file, one after another, with their places; throws a `BsonError` where no further one is found. */
export async function* readBson(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly bytes: Buffer; readonly position: number }> {
  let held: Buffer = Buffer.alloc(0)
  let position = 0
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let start = 0
    while (held.length - start >= 4) {
      const length = held.readInt32LE(start)
      if (length < DOCUMENT_BYTES_MIN || length > DOCUMENT_BYTES_MAX)
        throw new BsonError('a document has an impossible length')
      if (held.length - start < length) break
      yield { bytes: held.subarray(start, start + length), position: position + start }
      start += length
    }
    position += start
    held = held.subarray(start)
  }
  if (held.length > 0) throw new BsonError('the file is cut off')
}

class Decoder {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  document(depth: number, isList = false): unknown {
    if (depth > DEPTH_MAX) throw new BsonError('documents are too deep in one another')
    const end = this.#at + this.#int32()
    if (end > this.#bytes.length) throw new BsonError('a document is cut off')
    const fields: [string, unknown][] = []
    for (;;) {
      const type = this.#bytes.readUInt8(this.#at++)
      if (type === 0) break
      const name = this.#name()
      fields.push([name, this.#value(type, depth)])
    }
    if (this.#at !== end) throw new BsonError('a document has a wrong length')
    return isList ? fields.map(([, value]) => value) : Object.fromEntries(fields)
  }

  #value(type: number, depth: number): unknown {
    switch (type) {
      case 0x01:
        return this.#bytes.readDoubleLE(this.#skip(8))
      case 0x02:
      case 0x0d: // code
      case 0x0e: // a symbol
        return this.#text()
      case 0x03:
        return this.document(depth + 1)
      case 0x04:
        return this.document(depth + 1, true)
      case 0x05:
        return this.#binary()
      case 0x07:
        return this.#bytes.toString('hex', this.#skip(OBJECT_ID_BYTES), this.#at)
      case 0x08:
        return this.#bytes.readUInt8(this.#skip(1)) === 1
      case 0x09:
        return new Date(Number(this.#bytes.readBigInt64LE(this.#skip(8))))
      case 0x0b: // a pattern
        return `/${this.#name()}/${this.#name()}`
      case 0x0c: // an old kind of reference
        return [this.#text(), this.#skip(OBJECT_ID_BYTES)][0]
      case 0x0f: // code with variables
        this.#skip(this.#bytes.readInt32LE(this.#at))
        return null
      case 0x10:
        return this.#int32()
      case 0x11:
      case 0x12:
        return Number(this.#bytes.readBigInt64LE(this.#skip(8)))
      case 0x13: // a decimal
        this.#skip(16)
        return null
      case 0x06:
      case 0x0a:
      case 0x7f:
      case 0xff:
        return null
    }
    throw new BsonError(`a field has the unknown type ${type}`)
  }

  /** Moves on; returns where it was. */
  #skip(length: number): number {
    const at = this.#at
    if (length < 0 || at + length > this.#bytes.length) throw new BsonError('a document is cut off')
    this.#at += length
    return at
  }

  #int32(): number {
    return this.#bytes.readInt32LE(this.#skip(4))
  }

  #name(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) throw new BsonError('a document is cut off')
    const name = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return name
  }

  #text(): string {
    const length = this.#int32()
    if (length < 1) throw new BsonError('a text has an impossible length')
    const start = this.#skip(length)
    return this.#bytes.toString('utf8', start, start + length - 1)
  }

  #binary(): BinaryPlace {
    const length = this.#int32()
    this.#skip(1)
    return new BinaryPlace(this.#skip(length), length)
  }
}
