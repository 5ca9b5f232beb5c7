/** Turns of requests to addresses of users. */

import t from 'tap'
import { KeyedTurns, WAITING_MAX } from '../../server/outbound/turns.ts'

const endless = () => new AbortController().signal

t.test('[GUARD18] requests beyond those that may wait are refused at once', async (t) => {
  const turns = new KeyedTurns(2, 1)
  const done = await turns.take('a', endless())
  const waiting = Array.from({ length: WAITING_MAX }, () => turns.take('a', endless()))
  await t.rejects(turns.take('a', endless()), { name: 'NoTurnError', message: 'too many requests wait' })
  ;(await turns.take('b', endless()))()
  done()
  for (const one of waiting) (await one)()
  ;(await turns.take('a', endless()))()
})

t.test('[GUARD19] a request whose time ends together with the one before it does not begin', async (t) => {
  const turns = new KeyedTurns(1, 1)
  const done = await turns.take('a', endless())
  const ends = new AbortController()
  const second = turns.take('a', ends.signal)
  const third = turns.take('a', endless())
  done()
  ends.abort()
  await t.rejects(second, { name: 'NoTurnError', message: 'no turn came in time' })
  ;(await third)()
})
