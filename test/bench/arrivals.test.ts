import t from 'tap'
import { Arrivals } from '../../bench/peers/arrivals.ts'

t.test(
  '[PEERS1] each listener must get each message exactly once, also if a mark comes in two pieces',
  async (t) => {
    const all = new Arrivals(2)
    all.take(0, '<body>mark1. hello</body><body>ma')
    all.take(0, 'rk2. hello</body>')
    all.take(1, 'MSG room 1 20\r\nmark1. hello\r\nMSG room 1 20\r\nmark2')
    t.equal(all.hasAll(2), false)
    all.take(1, '. hello\r\n')
    t.equal(all.hasAll(2), true)
    const [first, second] = all.lastMs([1, 2])
    t.ok(first !== undefined && second !== undefined && first <= second)
  },
)

t.test('[PEERS2] a message that is missing, doubled or unknown makes a comparison fail', async (t) => {
  const takes: Record<string, readonly (readonly [listener: number, piece: string])[]> = {
    missing: [
      [0, 'mark1. mark2. '],
      [1, 'mark1. '],
    ],
    doubled: [
      [0, 'mark1. mark2. '],
      [1, 'mark1. mark2. mark2. '],
    ],
    'of another turn': [
      [0, 'mark1. mark2. mark3. '],
      [1, 'mark1. mark2. mark3. '],
    ],
  }
  for (const [name, pieces] of Object.entries(takes)) {
    const arrivals = new Arrivals(2)
    for (const [listener, piece] of pieces) arrivals.take(listener, piece)
    t.throws(() => arrivals.lastMs([1, 2]), /did not reach 2 listeners once each/, name)
  }
})
