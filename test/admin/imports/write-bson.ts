/** Writes BSON and the dumps of MongoDB, also broken ones. */

/** A document's bytes: objects, lists, texts, numbers, times, bytes, booleans and null. */
export function writeBson(fields: object): Buffer {
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => writeField(name, value)),
    Buffer.from([0]),
  ])
  return Buffer.concat([int32(body.length + 4), body])
}

function writeField(name: string, value: unknown): Buffer {
  const [type, bytes] = writeValue(value)
  return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), bytes])
}

function writeValue(value: unknown): [type: number, bytes: Buffer] {
  if (Buffer.isBuffer(value)) return [0x05, Buffer.concat([int32(value.length), Buffer.from([0]), value])]
  if (value instanceof Date) return [0x09, int64(value.getTime())]
  if (Array.isArray(value))
    return [
      0x04,
      writeBson(Object.fromEntries((value as unknown[]).map((one, index) => [String(index), one]))),
    ]
  switch (typeof value) {
    case 'string': {
      const bytes = Buffer.from(`${value}\0`)
      return [0x02, Buffer.concat([int32(bytes.length), bytes])]
    }
    case 'boolean':
      return [0x08, Buffer.from([value ? 1 : 0])]
    case 'number':
      return Number.isInteger(value) ? [0x10, int32(value)] : [0x01, double(value)]
    case 'object':
      return value === null ? [0x0a, Buffer.alloc(0)] : [0x03, writeBson(value)]
    default:
      throw new Error(`${typeof value} is not written`)
  }
}

/** One file of `mongodump --archive`, whose collections come in pieces of two documents, one after another. */
export function writeMongoArchive(collections: Readonly<Record<string, readonly object[]>>): Buffer {
  const end = int32(-1)
  const parts: Buffer[] = [int32(0x8199e26d | 0), writeBson({ version: '0.1', server_version: '6.0.0' })]
  for (const collection of Object.keys(collections))
    parts.push(writeBson({ db: 'rocketchat', collection, metadata: '{}', size: 0, type: 'collection' }))
  parts.push(end)
  const longest = Math.max(...Object.values(collections).map((documents) => documents.length))
  for (let start = 0; start <= longest; start += 2)
    for (const [collection, documents] of Object.entries(collections)) {
      const piece = documents.slice(start, start + 2)
      parts.push(
        writeBson({ db: 'rocketchat', collection, EOF: piece.length === 0, CRC: 0 }),
        ...piece.map(writeBson),
        end,
      )
    }
  return Buffer.concat(parts)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
