/** Reads files and pictures: out of the archive, or from their addresses if the operator wants that. */

import { DestinationRefusedError } from '../../outbound/destinations.ts'
import type { GuardedAnswer, GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { Loading } from './loading.ts'
import type { ForeignBytes, OpenEntry } from './records.ts'
import { EntryError } from './archive.ts'

const MIB = 1024 * 1024
/** MiB of a file from an address: it is in memory as a whole. */
const FETCHED_MIB_MAX = 32
/** Milliseconds for one file, and until its answer begins. */
const FETCH_MS_MAX = 60_000
const FIRST_BYTE_MS_MAX = 15_000
const REDIRECTS_MAX = 3

/**
 * The bytes; undefined if the archive does not have them and nothing may be fetched. Throws an `EntryError` that says why
 * they cannot be had, without the address, which may have a token.
 */
export async function openBytes(
  { source, filing }: Loading,
  { path, address }: ForeignBytes,
  name: string,
): Promise<OpenEntry | undefined> {
  const entry = path === undefined ? undefined : await source.files.open(path)
  if (entry) return entry
  if (address === undefined || !filing?.fetch) return undefined
  const bytes = await fetchBytes(filing.fetch, address, name)
  return {
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
}

/** All bytes of an entry; throws an `EntryError` if there are more than `bytesMax`. */
export async function readWhole(entry: OpenEntry, bytesMax: number): Promise<Uint8Array> {
  if (entry.size > bytesMax) throw new EntryError(`it is larger than ${bytesMax} bytes`)
  const parts: Uint8Array[] = []
  for await (const part of entry.read()) parts.push(part)
  return Buffer.concat(parts)
}

async function fetchBytes(fetch: GuardedFetch, address: string, name: string): Promise<Buffer> {
  let answer: GuardedAnswer
  try {
    answer = await fetch.fetch(address, {
      totalMsMax: FETCH_MS_MAX,
      firstByteMsMax: FIRST_BYTE_MS_MAX,
      bodyBytesMax: FETCHED_MIB_MAX * MIB,
      redirectsMax: REDIRECTS_MAX,
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Messages of the network may name the address.
    const reason =
      error instanceof DestinationRefusedError
        ? message
        : (code ?? message.replaceAll(address, 'the address'))
    throw new EntryError(`it cannot be fetched: ${reason}`, { cause: error })
  }
  if (answer.status !== 200) throw new EntryError(`it cannot be fetched: the answer is ${answer.status}`)
  // A token that is no longer valid leads to the page of a log-in.
  const isPage = /^text\/html\b/i.test(String(answer.headers['content-type'] ?? ''))
  if (isPage && !/\.html?$/i.test(name))
    throw new EntryError('it cannot be fetched: the answer is a page, perhaps since its token has ended')
  return answer.body
}
