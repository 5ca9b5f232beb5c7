/** The count of connections, and that of bytes which wait: both refuse what does not fit. */

import t from 'tap'
import { makeRoom } from '../../server/wire/connection-room.ts'
import { Unsent } from '../../server/wire/unsent.ts'

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

t.test('[ROOM61] answers that wait take 64 MiB for an address, and 256 for all', (t) => {
  const unsent = new Unsent()
  const mib = 1024 * 1024
  const free = unsent.take('192.0.2.1', 64 * mib)
  t.ok(free)
  t.notOk(unsent.take('192.0.2.1', 1))
  for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) t.ok(unsent.take(address, 64 * mib))
  t.notOk(unsent.take('192.0.2.5', 1), 'others would take the memory of the process')
  free?.()
  free?.()
  t.equal(unsent.bytes, 192 * mib, 'room is freed once')
  t.ok(unsent.take('192.0.2.1', 64 * mib))
  t.end()
})
