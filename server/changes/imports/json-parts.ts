/**
 * Reads a JSON file of any size by its parts: the elements of arrays, and the other fields of the object around them. What
 * cannot be parsed is reported and skipped, and the rest goes on.
 */

/** Bytes of one part. */
const PART_BYTES_MAX = 16 * 1024 * 1024
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** One part: an element of an array, or another field. */
export interface JsonPart {
  /** The name of the field; empty for elements of a file that is an array itself. */
  readonly field: string
  readonly value: unknown
}

/** The parts in their order; `lose` gets the reason of what is left out. */
export async function* readJsonParts(
  chunks: AsyncIterable<Buffer>,
  lose: (reason: string) => void,
): AsyncGenerator<JsonPart> {
  const cutter = new Cutter(lose)
  for await (const chunk of chunks) {
    cutter.push(chunk)
    yield* cutter.take()
  }
  cutter.end()
  yield* cutter.take()
}

class Cutter {
  readonly #lose: (reason: string) => void
  #found: JsonPart[] = []
  #held: Buffer[] = []
  #length = 0
  #depth = 0
  #isInText = false
  #isEscaped = false
  /** The depth of the array's elements while one is read. */
  #elements = 0
  #field = ''
  #root: 'object' | 'array' | 'none' | 'ended' = 'none'

  constructor(lose: (reason: string) => void) {
    this.#lose = lose
  }

  take(): JsonPart[] {
    const found = this.#found
    this.#found = []
    return found
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInText = false
        continue
      }
      if (byte === QUOTE) this.#isInText = true
      else if (byte === COMMA || byte >= OPEN_ARRAY) {
        const isCut = this.#mark(byte, chunk, start, at)
        if (isCut) start = at + 1
      }
    }
    this.#hold(chunk.subarray(start))
  }

  end(): void {
    if (this.#root === 'none') this.#lose('a file that is neither a JSON object nor a list')
    else if (this.#depth > 0) this.#lose('the rest of a file that is cut off')
  }

  /** Follows a bracket or comma; whether a part ends before it. */
  #mark(byte: number, chunk: Buffer, start: number, at: number): boolean {
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) return this.#open(byte, chunk, start, at)
    const isClosing = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT
    if (!isClosing && byte !== COMMA) return false
    const level = this.#elements > 0 ? this.#elements : 1
    const isCut = this.#depth === level && this.#root !== 'ended'
    if (isCut) {
      this.#hold(chunk.subarray(start, at))
      this.#emit()
      if (isClosing) this.#elements = 0
    }
    if (isClosing && this.#depth > 0 && --this.#depth === 0) this.#root = 'ended'
    return isCut
  }

  #open(byte: number, chunk: Buffer, start: number, at: number): boolean {
    this.#depth++
    if (this.#root === 'none') {
      this.#root = byte === OPEN_ARRAY ? 'array' : 'object'
      if (byte === OPEN_ARRAY) this.#elements = 1
      this.#drop()
      return true
    }
    if (this.#root !== 'object' || this.#depth !== 2 || this.#elements > 0 || byte !== OPEN_ARRAY)
      return false
    this.#hold(chunk.subarray(start, at))
    const name = this.#text()
    try {
      this.#field = Object.keys(JSON.parse(`{${name}0}`) as object)[0] ?? ''
    } catch {
      this.#lose('a part that is not JSON')
      this.#field = ''
    }
    this.#elements = 2
    return true
  }

  #emit(): void {
    const isTooLong = this.#length > PART_BYTES_MAX
    const text = this.#text().trim()
    if (isTooLong) return this.#lose('a part that is too long')
    if (text === '') return
    try {
      if (this.#elements > 0) this.#found.push({ field: this.#field, value: JSON.parse(text) })
      else
        for (const [field, value] of Object.entries(JSON.parse(`{${text}}`) as object))
          this.#found.push({ field, value })
    } catch {
      this.#lose('a part that is not JSON')
    }
  }

  #hold(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= PART_BYTES_MAX) this.#held.push(part)
    else this.#held = []
  }

  #text(): string {
    const text = Buffer.concat(this.#held).toString('utf8')
    this.#drop()
    return text
  }

  #drop(): void {
    this.#held = []
    this.#length = 0
  }
}
