/** Pages and searches of a history that was there before an import: to read before it, and after it. */

import { join } from 'node:path'
import { ExpectedHits } from '../load/expected-hits.ts'
import type { PageLoad, WantedPage } from '../load/page-load.ts'
import { wordOf } from '../load/search-texts.ts'
import type { Round } from '../measure/figure.ts'
import { sized } from '../measure/sizes.ts'
import { createChannels } from '../start/create-channels.ts'
import type { Person } from '../start/create-people.ts'
import { fillSearch, indexSearch, noteNotices } from '../start/fill-search.ts'
import { startRemote } from '../start/remote.ts'
import { startParley } from '../start/start-parley.ts'

const MESSAGES = sized(100_000, 500)
const CHANNEL = 'history'
const PAGE_LENGTH = 50
const SEED = 11
/** Of one turn. */
const PAGES = sized(400, 10)
const WORDS = sized([20, 60, 150, 400, 1_000, 3_000, 8_000, 20_000], [20, 60, 150]).flatMap((rank) => [
  wordOf('english', rank),
  wordOf('german', rank + 7),
])
const REPETITIONS = sized(10, 1)

/** A history with the pages and searches of it, and their right answers. */
export interface History {
  readonly pages: readonly WantedPage[]
  readonly searches: readonly WantedPage[]
}

/** The milliseconds of each answer, by turns. */
export interface Reading {
  readonly pages: readonly (readonly number[])[]
  readonly searches: readonly (readonly number[])[]
}

/** Stores a history, and its search index. */
export async function fillHistory(databaseUrl: string, people: readonly Person[]): Promise<History> {
  const first = await startParley(databaseUrl)
  await createChannels(first.port, people, [CHANNEL])
  await first.close()
  const hits = new ExpectedHits(WORDS, PAGE_LENGTH)
  await noteNotices(databaseUrl, hits)
  const ids: number[] = []
  await fillSearch(databaseUrl, {
    count: MESSAGES,
    channelIds: [1],
    seed: SEED,
    note: (id, { topic, content }) => {
      ids.push(id)
      hits.note(id, `${topic} ${content}`)
    },
  })
  await indexSearch(databaseUrl)
  const narrow = JSON.stringify([{ operator: 'channel', operand: CHANNEL }])
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const end = PAGE_LENGTH + Math.floor((index * (ids.length - PAGE_LENGTH)) / PAGES)
    // The anchor is one of the messages.
    return pageOf(String(ids[end - 1]), PAGE_LENGTH - 1, narrow, ids.slice(end - PAGE_LENGTH, end))
  })
  const searches = WORDS.map((word) =>
    pageOf('newest', PAGE_LENGTH, JSON.stringify([{ operator: 'search', operand: word }]), hits.of(word)),
  )
  return { pages, searches: Array.from({ length: REPETITIONS }, () => searches).flat() }
}

/** Reads all of it, in a server that was just started; throws if an answer is wrong. The first turn is not counted. */
export async function readHistory(
  databaseUrl: string,
  { authorization }: Person,
  { pages, searches }: History,
  rounds: number,
): Promise<Reading> {
  const parley = await startParley(databaseUrl)
  const load = startRemote<PageLoad>(join(import.meta.dirname, '../load/page-load.ts'))
  try {
    await load.call('connect', { port: parley.port })
    const turns: { readonly pages: number[]; readonly searches: number[] }[] = []
    for (let round = -1; round < rounds; round++) {
      const turn = {
        pages: await load.call('read', { authorization, pages }),
        searches: await load.call('read', { authorization, pages: searches }),
      }
      if (round >= 0) turns.push(turn)
    }
    return { pages: turns.map((turn) => turn.pages), searches: turns.map((turn) => turn.searches) }
  } finally {
    await Promise.all([load.close(), parley.close()])
  }
}

/** The turns of after beside those of before. */
export function pairTurns(
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): Round<readonly number[]>[] {
  return after.map((ours, index) => ({ ours, limit: before[index] ?? [] }))
}

function pageOf(anchor: string, before: number, narrow: string, ids: readonly number[]): WantedPage {
  return { query: { anchor, num_before: String(before), num_after: '0', narrow }, ids }
}
