/** The count of connections, which refuses those that do not fit. */

import t from 'tap'
import { makeRoom } from '../../server/wire/connection-room.ts'

t.test('[ROOM60] a connection that ends makes room for another, also a refused one', (t) => {
  const refused: number[] = []
  const room = makeRoom(2, 'full', (connections) => refused.push(connections))
  t.same([room.enter(), room.enter(), room.enter()], [true, true, false])
  room.leave() // Each connection leaves when it closes, also the refused one.
  t.equal(room.enter(), false)
  room.leave()
  room.leave()
  t.equal(room.enter(), true)
  t.equal(room.refusal, 'full')
  t.same(refused, [3], 'many refusals in a minute are one line of the log')
  t.end()
})
