/** The memory of the subscriber sets in a process that has loaded the organization. */

import { connect } from '../../db/connection/connect.ts'
import { loadState } from '../../server/state/load-state.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { serveCalls } from '../start/remote.ts'

const calls = {
  /** Bytes on and off the heap, and the number of subscriptions. Needs `--expose-gc`. */
  async measure(databaseUrl: string): Promise<{ bytes: number; subscriptions: number }> {
    const sql = connect(databaseUrl, 1, 'bench')
    const state = await loadState(sql)
    await sql.end()
    let subscriptions = 0
    const whole = await usedAfterCollection()
    for (const channel of state.channels.values()) {
      subscriptions += channel.subscribers.size
      channel.subscribers = UserSet.empty
    }
    const without = await usedAfterCollection()
    // Keeps the state alive until here: otherwise all of it would be collected.
    return { bytes: state.channels.size > 0 ? whole - without : 0, subscriptions }
  },
}
export type SubscriberSets = typeof calls

async function usedAfterCollection(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('--expose-gc is missing')
  // Objects that the first collection finalizes are freed by the next, and buffers a turn later.
  for (let turn = 0; turn < 3; turn++) {
    gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

serveCalls(calls)
