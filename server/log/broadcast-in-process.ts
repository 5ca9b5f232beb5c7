/** The broadcast of a server with a single process. */

import type { Broadcast, Listener } from './broadcast.ts'

/** Notifies the listeners of this process in a later turn than the publisher's. */
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
