/** Reads the directory of a zip into a table of its entries. */

import type { FileHandle } from 'node:fs/promises'
import yauzl from 'yauzl'
import type { Refuse } from './archive.ts'
import { type ReadBytes, readInBlocks } from './blocks.ts'
import { EntryTable } from './entry-table.ts'
import { ImportError } from './records.ts'
import { SortedNumbers } from './sorted-numbers.ts'

const BLOCK_BYTES = 256 * 1024
const HEAD_BYTES = 46
export const METHODS = { stored: 0, deflated: 8 } as const
/** The numbers of an entry: where it is, its bytes packed and unpacked, its checksum, and its method. */
const COLUMNS = 5

/**
 * Reads the directory of an open file; rejects if there is none, or if its entries share bytes. Of several entries with one
 * name the last one counts, as programs that unpack zips do it.
 */
export async function readDirectory(file: FileHandle, refuse: Refuse): Promise<EntryTable> {
  const { size } = await file.stat()
  const zip = await yauzl.fromRandomAccessReaderPromise(new BlockReader(file), size, {
    autoClose: false,
    lazyEntries: true,
    // A bad name would end the whole archive.
    decodeStrings: false,
  })
  if (zip.entryCount * HEAD_BYTES > size) throw new Error('it is cut off')
  const table = await EntryTable.create(COLUMNS)
  try {
    await readEntries(zip, table, refuse)
    await table.dropReplaced((name) => refuse(name, 'a later entry has the same name'))
    await checkPlaces(table)
    return table
  } catch (error) {
    await table.close()
    throw error
  }
}

async function readEntries(zip: yauzl.ZipFile, table: EntryTable, refuse: Refuse): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    const name = yauzl.getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    )
    const reason = faultOf(name, entry)
    if (reason !== undefined) refuse(name, reason)
    else if (!name.endsWith('/'))
      await table.add(name, [
        entry.relativeOffsetOfLocalHeader,
        entry.compressedSize,
        entry.uncompressedSize,
        entry.crc32,
        entry.compressionMethod,
      ])
  }
}

function faultOf(name: string, entry: yauzl.Entry): string | undefined {
  const fault = yauzl.validateFileName(name.replaceAll('\\', '/'))
  if (fault !== null) return 'its name leads out of the archive'
  if (entry.isEncrypted()) return 'it is encrypted'
  const isKnown = entry.compressionMethod === METHODS.stored || entry.compressionMethod === METHODS.deflated
  return isKnown ? undefined : 'it is packed in an unknown way'
}

/**
 * Throws if entries share bytes: some kilobytes would become gigabytes so. None do if each one ends before the next one
 * begins, when all starts and all ends are sorted.
 */
async function checkPlaces(table: EntryTable): Promise<void> {
  const [starts, ends] = [new SortedNumbers(), new SortedNumbers()]
  for await (const { numbers } of table.entries()) {
    const [offset = 0, packedSize = 0] = numbers
    starts.add(offset)
    ends.add(offset + packedSize)
  }
  const [begins, finishes] = [await starts.sorted(), await ends.sorted()]
  for (let index = 1; index < begins.length; index++)
    if ((finishes[index - 1] as number) > (begins[index] as number))
      throw new ImportError('entries of the archive overlap')
}

type ReadArguments = Parameters<yauzl.RandomAccessReader['read']>

/** Answers the small reads of the directory from large blocks. */
class BlockReader extends yauzl.RandomAccessReader {
  readonly #read: ReadBytes

  constructor(file: FileHandle) {
    super()
    this.#read = readInBlocks(file, BLOCK_BYTES)
  }

  override read(...[into, offset, length, position, done]: ReadArguments): void {
    this.#read(position, length).then(
      (bytes) => {
        bytes.copy(into, offset)
        done(null)
      },
      (error: unknown) => done(error as Error),
    )
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }
}
