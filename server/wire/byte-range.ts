/** Reads the range of bytes that a request asks for. */

/** Both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The range of a `Range` header. Undefined means the whole file: no range, several, or an unreadable one.
 * `unsatisfiable` means that the file has no such bytes.
 */
export function readByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
