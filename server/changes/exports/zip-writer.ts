/** Writes a zip of any size with bounded memory: no faster than its reader takes it. */

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { ZipFile } from 'yazl'

const deflate = promisify(deflateRaw)
/** Bytes of the lines in one entry, and their number: whole entries are held in memory. */
const PART_BYTES = 4 * 1024 * 1024
const PART_LINES = 10_000
/** Entries that pack better than this are stored unpacked: readers refuse them, as they could be bombs. */
const RATIO_MAX = 100
const MODE = 0o100_600

/** Opens the bytes of an entry. */
type OpenBytes = () => Readable | Promise<Readable>

/** A zip in progress. Its entries are added one after another; each `add` resolves when the reader has taken the entry. */
export class ZipWriter {
  readonly #zip = new ZipFile()
  readonly #time: Date
  readonly #failed: Promise<never>
  #fail: (error: unknown) => void = () => {}

  /** `time` is that of all entries. */
  constructor(time: Date) {
    this.#time = time
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => undefined) // Each `add` has it.
    this.#zip.on('error', (error) => this.fail(error))
    this.output.on('error', () => undefined) // The same, for a reader who is not there yet, or no longer.
  }

  /** The bytes of the zip. */
  get output(): Readable {
    return this.#zip.outputStream as Readable
  }

  /** Adds records as lines of JSON: `name.jsonl`, and for many of them `name-2.jsonl` and so on. Returns their number. */
  async addLines(name: string, records: AsyncIterable<object> | Iterable<object>): Promise<number> {
    let lines: string[] = []
    let bytes = 0
    let part = 0
    let count = 0
    const flush = async () => {
      part++
      await this.addBytes(`${name}${part > 1 ? `-${part}` : ''}.jsonl`, Buffer.from(lines.join('')))
      lines = []
      bytes = 0
    }
    for await (const record of records) {
      const line = `${JSON.stringify(record)}\n`
      lines.push(line)
      bytes += line.length
      count++
      if (bytes >= PART_BYTES || lines.length >= PART_LINES) await flush()
    }
    if (lines.length > 0 || part === 0) await flush()
    return count
  }

  /** Adds bytes, packed. */
  async addBytes(name: string, bytes: Buffer): Promise<void> {
    const packed = (await deflate(bytes, { level: 1 })) as Buffer
    const compress = bytes.length <= packed.length * RATIO_MAX
    await this.#add(name, { compress, size: bytes.length }, () => Readable.from([bytes]))
  }

  /** Adds a file of known size, as it is: most files are packed already. */
  addFile(name: string, size: number, open: OpenBytes): Promise<void> {
    return this.#add(name, { compress: false, size }, size === 0 ? () => Readable.from([]) : open)
  }

  /** Ends the zip. */
  end(): void {
    this.#zip.end()
  }

  /** Ends what is being added, and the reader, with an error. */
  fail(error: unknown): void {
    this.#fail(error)
    this.output.destroy(error as Error)
  }

  #add(name: string, options: { readonly compress: boolean; readonly size: number }, open: OpenBytes) {
    const written = new Promise<void>((resolve, reject) => {
      const given = async (take: (error: unknown, stream: NodeJS.ReadableStream) => void) => {
        try {
          const stream = await open()
          stream.once('end', resolve)
          stream.once('error', reject)
          take(undefined, stream)
        } catch (error) {
          this.fail(error)
        }
      }
      this.#zip.addReadStreamLazy(name, { ...options, mtime: this.#time, mode: MODE }, (take) => {
        void given(take)
      })
    })
    return Promise.race([written, this.#failed])
  }
}
