/** Whether the server is out of reach. */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { App } from './app.ts'

export class Network {
  /** A lost network is known at once, an absent server only after an attempt. A short loss cuts requests, but not the connection. */
  readonly isAway: ReadonlySignal<boolean>

  constructor({ live }: Pick<App, 'live'>) {
    const hasNetwork = signal(true)
    addEventListener('offline', () => (hasNetwork.value = false))
    addEventListener('online', () => (hasNetwork.value = true))
    // A server on the same machine needs no network.
    effect(() => {
      if (live.status.value.phase === 'connected') hasNetwork.value = true
    })
    this.isAway = computed(() => !hasNetwork.value || live.status.value.phase !== 'connected')
  }
}
