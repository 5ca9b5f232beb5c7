/** Puts any number of messages into the order of their times, with bounded memory: sorted files that are merged. */

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readParts, splitLines } from './json-lines.ts'
import type { ForeignMessage, Left, Loss } from './records.ts'

/** Characters of the messages that are sorted in memory. */
const RUN_LENGTH_MAX = 16 * 1024 * 1024
/** Files that are merged at once: each has a block of a megabyte in memory. */
const RUNS_MERGED = 16

/** A message with the time that it is sorted by, in milliseconds or seconds. */
export interface TimedMessage {
  readonly at: number
  readonly message: ForeignMessage
}

/** The record of a message as a reader understands it. */
export type ReadMessage = TimedMessage | Left

/** A message as text. */
type Timed = readonly [at: number, text: string]

/** The messages that come over, the oldest first; those of one time stay in their order. The others go to `lose`. */
export async function* sortMessages(
  messages: AsyncIterable<ReadMessage>,
  lose: (loss: Loss) => void,
  { runLength = RUN_LENGTH_MAX, runsMerged = RUNS_MERGED } = {},
): AsyncGenerator<ForeignMessage> {
  const runs = new Runs(runsMerged)
  let held: Timed[] = []
  let length = 0
  try {
    for await (const one of messages) {
      if ('left' in one) {
        lose({ place: one.place, reason: one.left, example: one.example })
        continue
      }
      const text = JSON.stringify(one.message)
      held.push([one.at, text])
      length += text.length
      if (length < runLength) continue
      await runs.add(sorted(held))
      held = []
      length = 0
    }
    for await (const [, text] of runs.merged(sorted(held))) yield JSON.parse(text) as ForeignMessage
  } finally {
    await runs.remove()
  }
}

const sorted = (held: Timed[]) => held.sort(([one], [other]) => one - other)

/** Sorted files in levels: those of one level become one file of the next, so that few are open at a time. */
class Runs {
  readonly #mergedMax: number
  readonly #levels: string[][] = []
  #folder: string | undefined
  #written = 0

  constructor(mergedMax: number) {
    this.#mergedMax = mergedMax
  }

  async add(run: Iterable<Timed> | AsyncIterable<Timed>, level = 0): Promise<void> {
    const folder = (this.#folder ??= await mkdtemp(join(tmpdir(), 'parley-import-')))
    const path = join(folder, `${this.#written++}.jsonl`)
    await pipeline(Readable.from(linesOf(run)), createWriteStream(path, { mode: 0o600 }))
    const paths = (this.#levels[level] ??= [])
    paths.push(path)
    if (paths.length < this.#mergedMax) return
    await this.add(merge(paths.map(readRun)), level + 1)
    for (const merged of paths.splice(0)) await rm(merged)
  }

  /** All of them, and the last one, which is in memory. */
  merged(last: Iterable<Timed>): AsyncGenerator<Timed> {
    // Files of a higher level are older.
    return merge([...this.#levels.toReversed().flat().map(readRun), inMemory(last)])
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }
}

async function* linesOf(run: Iterable<Timed> | AsyncIterable<Timed>): AsyncGenerator<string> {
  for await (const [at, text] of run) yield `${at} ${text}\n`
}

async function* inMemory(run: Iterable<Timed>): AsyncGenerator<Timed> {
  yield* run
}

async function* readRun(path: string): AsyncGenerator<Timed> {
  for await (const line of splitLines(readParts(path))) {
    if (line === undefined) throw new Error(`${path} has a line that is too long`)
    const space = line.indexOf(' ')
    yield [Number(line.slice(0, space)), line.slice(space + 1)]
  }
}

/** Merges sorted runs; the earlier run goes first among equal times. */
async function* merge(runs: readonly AsyncGenerator<Timed>[]): AsyncGenerator<Timed> {
  const heads = await Promise.all(runs.map((run) => run.next()))
  for (;;) {
    let first = -1
    for (const [index, head] of heads.entries()) {
      const best = heads[first]
      if (!head.done && (best === undefined || best.done || head.value[0] < best.value[0])) first = index
    }
    const head = heads[first]
    const run = runs[first]
    if (head === undefined || run === undefined || head.done) return
    yield head.value
    heads[first] = await run.next()
  }
}
