/** Rules of the wire again, on the other transport than that of the run. */

import t from 'tap'
import { UWS } from './start-transport.ts'

const FILES = [
  'hostile',
  'agents',
  'door',
  'admission',
  'answer-heads',
  'upgrades',
  'tus',
  '../events/event-source',
]

const given = process.env.TRANSPORT
process.env.TRANSPORT = given === 'node' && UWS ? 'uws' : 'node'
t.teardown(() => {
  if (given === undefined) delete process.env.TRANSPORT
  else process.env.TRANSPORT = given
})
for (const file of FILES) await import(`./${file}.test.ts`)
