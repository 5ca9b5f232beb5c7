/** W1, W1b: the time from a durable send until the last of a thousand clients has it. */

import type { Work } from '../measure/work.ts'
import { compareFanOut } from './fan-out.ts'
import { sized } from '../measure/sizes.ts'

/** W1: the time from a durable send until the last of a thousand WebSocket clients has it. */
export const fanOut: Work = {
  name: 'W1',
  title: 'a send until the last of 1,000 WebSocket clients has it',
  limit: 'bare uWebSockets.js publish to 1,000',
  run: (context) =>
    compareFanOut(context, {
      name: 'WebSocket',
      transport: 'web socket',
      clients: sized(1_000, 100),
      count: sized(40, 10),
      perSecond: 20,
      target: { p50Max: 1.15, p99Max: 2 },
    }),
}

/** W1b: the time from a durable send until the last of a thousand long polls is answered. */
export const longPoll: Work = {
  name: 'W1b',
  title: 'a send until the last of 1,000 parked polls is answered with it',
  limit: '1,000 bare parked requests answered with the same bytes',
  run: (context) =>
    compareFanOut(context, {
      name: 'long poll',
      transport: 'long poll',
      clients: sized(1_000, 100),
      count: sized(15, 3),
      perSecond: 7.5,
      target: { p50Max: 1.3, p99Max: 2 },
    }),
}
