/** The broadcast of a server that is one process. */

import type { Broadcast, Listener } from './broadcast.ts'

/** Tells the listeners of this process, after the publisher's turn has ended. */
export function createInProcessBroadcast(): Broadcast {
  const listeners = new Set<Listener>()
  const tell = (message: (listener: Listener) => void) => {
    queueMicrotask(() => {
      for (const listener of listeners) message(listener)
    })
  }
  return {
    publish: (entries) => tell((listener) => listener.onEntries(entries)),
    signal: (signal) => tell((listener) => listener.onSignal(signal)),
    async listen(listener) {
      listeners.add(listener)
    },
    async close() {
      listeners.clear()
    },
  }
}
