/** W1b: the time from a durable send until the last of a thousand long polls is answered. */

import type { Work } from '../measure/work.ts'
import { compareFanOut } from './fan-out.ts'
import { sized } from '../measure/sizes.ts'

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
      perSecond: 5,
      target: { p50Max: 1.3, p99Max: 2 },
    }),
}
