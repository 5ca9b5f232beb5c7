/** Puts any number of messages into the order of their times, with bounded memory: sorted files that are merged. */

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readJsonLines, readParts } from './json-lines.ts'
import type { ForeignMessage, Left, Loss } from './records.ts'

/** Characters of the messages that are sorted in memory. */
const RUN_LENGTH_MAX = 16 * 1024 * 1024

/** A message with the time that it is sorted by, in milliseconds or seconds. */
export interface TimedMessage {
  readonly at: number
  readonly message: ForeignMessage
}

/** The record of a message as a reader understands it. */
export type ReadMessage = TimedMessage | Left

/** The messages that come over, the oldest first; those of one time stay in their order. The others go to `lose`. */
export async function* sortMessages(
  messages: AsyncIterable<ReadMessage>,
  lose: (loss: Loss) => void,
): AsyncGenerator<ForeignMessage> {
  let folder: string | undefined
  const runs: string[] = []
  let held: [at: number, text: string][] = []
  let length = 0
  try {
    for await (const one of messages) {
      if ('left' in one) {
        lose({ place: one.place, reason: one.left, example: one.example })
        continue
      }
      const text = JSON.stringify(one)
      held.push([one.at, text])
      length += text.length
      if (length < RUN_LENGTH_MAX) continue
      folder ??= await mkdtemp(join(tmpdir(), 'parley-import-'))
      const path = join(folder, `${runs.length}.jsonl`)
      await pipeline(Readable.from(linesOf(sorted(held))), createWriteStream(path, { mode: 0o600 }))
      runs.push(path)
      held = []
      length = 0
    }
    yield* merge([...runs.map(readRun), inMemory(sorted(held))])
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

const sorted = (held: [at: number, text: string][]) => held.sort(([one], [other]) => one - other)

function* linesOf(held: readonly [number, string][]): Generator<string> {
  for (const [, text] of held) yield `${text}\n`
}

async function* inMemory(held: readonly [number, string][]): AsyncGenerator<TimedMessage> {
  for (const [, text] of held) yield JSON.parse(text) as TimedMessage
}

async function* readRun(path: string): AsyncGenerator<TimedMessage> {
  const broken = (line: number, reason: string) => {
    throw new Error(`${path}: ${reason} (${line})`)
  }
  for await (const value of readJsonLines(readParts(path), broken)) yield value as TimedMessage
}

/** Merges sorted runs; the earlier run goes first among equal times. */
async function* merge(runs: readonly AsyncGenerator<TimedMessage>[]): AsyncGenerator<ForeignMessage> {
  const heads = await Promise.all(runs.map((run) => run.next()))
  for (;;) {
    let first = -1
    for (const [index, head] of heads.entries()) {
      const best = heads[first]
      if (!head.done && (best === undefined || best.done || head.value.at < best.value.at)) first = index
    }
    const head = heads[first]
    const run = runs[first]
    if (head === undefined || run === undefined || head.done) return
    yield head.value.message
    heads[first] = await run.next()
  }
}
