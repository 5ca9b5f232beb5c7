/** W1: the time from a durable send until the last of a thousand WebSocket clients has it. */

import type { Work } from '../measure/work.ts'
import { compareFanOut } from './fan-out.ts'
import { sized } from '../measure/sizes.ts'

export const fanOut: Work = {
  name: 'W1',
  title: 'a send until the last of 1,000 WebSocket clients has it',
  limit: 'bare uWebSockets.js publish to 1,000',
  run: (context) =>
    compareFanOut(context, {
      name: 'WebSocket',
      transport: 'web socket',
      clients: sized(1_000, 100),
      count: sized(60, 10),
      perSecond: 20,
      target: { p50Max: 1.15, p99Max: 2 },
    }),
}
