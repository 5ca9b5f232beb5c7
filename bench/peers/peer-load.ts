/** A process that is all clients of one peer: the same for each of them but for their dialect. */

import { setTimeout as wait } from 'node:timers/promises'
import { repeatSteadily } from '../load/repeat-steadily.ts'
import { serveCalls } from '../start/remote.ts'
import { Arrivals } from './arrivals.ts'
import type { Sender } from './dialects/dialect.ts'
import { openDialect, type Room } from './dialects/open-dialect.ts'

/** Clients that connect at a time. */
const CONNECTING = 20
/** Milliseconds that the last message of a turn may take. */
const SETTLE_MS_MAX = 60_000
const SENTENCE = 'the build of last night is green again, and the second page of the report is done.'

let listeners = 0
let sender: Sender
let arrivals: Arrivals
let nextMark = 1
/** Rejects once a connection is lost. */
const lost = Promise.withResolvers<never>()
lost.promise.catch(() => {})

const calls = {
  async connect(room: Room, count: number): Promise<void> {
    const dialect = openDialect(room)
    const lose = (reason: string) => lost.reject(new Error(reason))
    listeners = count
    arrivals = new Arrivals(count)
    for (let start = 0; start < count; start += CONNECTING) {
      const indexes = Array.from({ length: Math.min(CONNECTING, count - start) }, (_, one) => start + one)
      const opening = Promise.all(
        indexes.map((index) => dialect.listen(index, (text) => arrivals.take(index, text), lose)),
      )
      await Promise.race([opening, lost.promise])
    }
    sender = await Promise.race([dialect.openSender(lose), lost.promise])
  },

  /** Sends at a steady rate; returns milliseconds until the acknowledgement, and until the last listener has each. */
  async fanOut(plan: { count: number; perSecond: number }): Promise<{ ackMs: number[]; lastMs: number[] }> {
    arrivals = new Arrivals(listeners)
    const first = nextMark
    const marks = Array.from({ length: plan.count }, (_, index) => first + index)
    nextMark += plan.count
    const dueMs: number[] = []
    const ackMs = await repeatSteadily(plan, (number) => {
      dueMs[number] = performance.now() // Steady to some microseconds.
      return Promise.race([sender.send(textOf(marks[number] as number)), lost.promise])
    })
    await settle(plan.count)
    const lastMs = arrivals.lastMs(marks).map((ms, index) => ms - (dueMs[index] as number))
    return { ackMs, lastMs }
  },

  /** Sends without a pause, so many at a time; returns messages in a second until all listeners have all. */
  async flood({ count, inFlight }: { count: number; inFlight: number }): Promise<number> {
    arrivals = new Arrivals(listeners)
    const first = nextMark
    nextMark += count
    let next = first
    const startMs = performance.now()
    const sendAll = async () => {
      while (next < first + count) await sender.send(textOf(next++))
    }
    await Promise.race([Promise.all(Array.from({ length: inFlight }, sendAll)), lost.promise])
    await settle(count)
    const last = arrivals.lastMs(Array.from({ length: count }, (_, index) => first + index))
    return (1_000 * count) / (Math.max(...last) - startMs)
  },
}

function textOf(mark: number): string {
  return `mark${mark}. ${SENTENCE}`
}

async function settle(messages: number): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  while (!arrivals.hasAll(messages) && performance.now() < deadlineMs)
    await Promise.race([wait(2), lost.promise])
}

export type PeerLoad = typeof calls
serveCalls(calls)
