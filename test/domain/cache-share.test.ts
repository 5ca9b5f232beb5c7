/** How caches follow the memory that a process may have. */

import t from 'tap'
import { shareOf } from '../../server/domain/cache-share.ts'

const MIB = 1024 * 1024

t.test('[CACHES1] caches take their whole bounds from 1 GiB on, and a quarter at least', async (t) => {
  const shares = [
    [0, 1], // No limit.
    [2 ** 64, 1], // A control group without a limit.
    [1024 * MIB, 1],
    [512 * MIB, 0.5],
    [256 * MIB, 0.25],
    [64 * MIB, 0.25],
  ] as const
  for (const [limit, share] of shares) t.equal(shareOf(limit), share, `${limit} bytes`)
})
