/** Messages of any number come in the order of their times. */

import { readdirSync, readlinkSync } from 'node:fs'
import t from 'tap'
import type { ForeignMessage, Loss } from '../../../server/changes/imports/records.ts'
import { type ReadMessage, sortMessages } from '../../../server/changes/imports/sorted-messages.ts'

/** The messages in the order that they come out, and the losses. */
async function sortAll(all: readonly ReadMessage[], limits: object) {
  const lost: Loss[] = []
  const sorted: string[] = []
  async function* given() {
    yield* all
  }
  for await (const { key } of sortMessages(given(), (loss) => lost.push(loss), limits)) sorted.push(key)
  return { sorted, lost }
}

t.test(
  '[SORTED1] any number of messages is sorted with few open files, and equal times keep their order',
  async (t) => {
    const times = Array.from({ length: 500 }, (_, index) => (index * 7919) % 101)
    const all = times.map((time, index) => ({
      at: time,
      message: { key: String(index), text: 'line\nbreak' } as ForeignMessage,
    }))
    const expected = [...all].sort((one, other) => one.at - other.at).map(({ message }) => message.key)
    const left = { left: 'bad', example: 'x', place: 'here' }
    for (const runsMerged of [2, 3, 16]) {
      const { sorted, lost } = await sortAll([left, ...all], { runLength: 200, runsMerged })
      t.same(sorted, expected)
      t.same(lost, [{ place: 'here', reason: 'bad', example: 'x' }])
    }
    t.same((await sortAll([], {})).sorted, [])
    // Without merging on the way these were 100 files.
    let open = 0
    const isOfRun = (fd: string) => {
      try {
        return /parley-import-.*jsonl/.test(readlinkSync(`/proc/self/fd/${fd}`))
      } catch {
        return false // It is closed meanwhile.
      }
    }
    async function* given() {
      yield* all
    }
    for await (const _ of sortMessages(given(), () => undefined, { runLength: 200, runsMerged: 3 }))
      open = Math.max(open, readdirSync('/proc/self/fd').filter(isOfRun).length)
    t.ok(open <= 15, `${open} files were open`)
  },
)
