/** Overlay maps act like copies and leave their base unchanged. */

import { randomInt } from 'node:crypto'
import t from 'tap'
import { OverlayMap } from '../../server/domain/overlay-map.ts'
import { makeRandom } from '../events/make-random.ts'

t.test('[OVER1] an overlay equals a copy of its map after any operations', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed).below
  for (let round = 0; round < 50; round++) {
    const base = new Map(Array.from({ length: random(8) }, () => [random(10), random(100)]))
    const kept = [...base]
    const copy = new Map(base)
    let over: Map<number, number> = new OverlayMap(base)
    for (let step = 0; step < 30; step++) {
      const key = random(10)
      const kind = random(20)
      if (kind < 9) {
        const value = random(5) === 0 ? (undefined as unknown as number) : random(100)
        copy.set(key, value)
        over.set(key, value)
      } else if (kind < 18) t.equal(over.delete(key), copy.delete(key))
      else if (kind === 18) over = new OverlayMap(over)
      else if (random(4) === 0) {
        copy.clear()
        over.clear()
      }
      if (over.has(key) !== copy.has(key) || over.get(key) !== copy.get(key)) t.fail(`step ${step}`)
    }
    const seen: [number, number][] = []
    over.forEach((value, key) => seen.push([key, value]))
    t.same([over.size, [...over], seen], [copy.size, [...copy], [...copy]], `round ${round} of ${seed}`)
    t.same([[...over.keys()], [...over.values()]], [[...copy.keys()], [...copy.values()]])
    t.same([...base], kept, 'the base is as it was')
  }
})
