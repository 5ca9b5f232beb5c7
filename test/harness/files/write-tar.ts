/** Writes tars, also hostile ones. */

/** An entry of another kind than a file has its type. */
export interface TarFile {
  readonly name: string
  readonly content: string | Buffer
  readonly type?: string
}

const BLOCK_BYTES = 512

/** The bytes of a tar; names of more than 100 bytes are written in a record before the entry. */
export function makeTar(files: Iterable<TarFile>): Buffer {
  const parts: Buffer[] = []
  for (const { name, content, type = '0' } of files) {
    const bytes = Buffer.from(content)
    if (Buffer.byteLength(name) > 100) {
      const record = ` path=${name}\n`
      const length = record.length + 3
      parts.push(...entry('long', Buffer.from(`${length}${record}`), 'x'))
    }
    parts.push(...entry(name.slice(0, 100), bytes, type))
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)])
}

function entry(name: string, bytes: Buffer, type: string): Buffer[] {
  const head = Buffer.alloc(BLOCK_BYTES)
  head.write(name, 0)
  head.write('0000644\0', 100)
  head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('        ', 148)
  head.write(type, 156)
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)
  return [head, bytes, padding]
}
