/** Whether the browser has a network: known at once, while a connection is missed only after an attempt. */

import { signal } from '@preact/signals'

export class Network {
  readonly isOnline = signal(navigator.onLine)

  constructor() {
    const look = () => (this.isOnline.value = navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
  }
}
