/** W1: the time from a durable send until the last of a thousand WebSocket clients has it. */

import type { Work } from '../measure/work.ts'
import { compareFanOut } from './fan-out.ts'

export const fanOut: Work = {
  name: 'W1',
  title: 'a send until the last of 1,000 WebSocket clients has it',
  limit: 'bare uWebSockets.js publish to 1,000',
  run: (context) =>
    compareFanOut(context, {
      name: 'WebSocket',
      transport: 'web socket',
      clients: 1_000,
      count: 60,
      perSecond: 20,
      target: { p50Max: 1.15, p99Max: 2 },
    }),
}
