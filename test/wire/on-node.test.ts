/** The rules of the wire again, on the transport for platforms without uWebSockets.js: the transport is all that differs. */

import t from 'tap'

const FILES = ['hostile', 'door', 'admission', 'upgrades', 'tus', '../events/event-source']

const given = process.env.TRANSPORT
process.env.TRANSPORT = given === 'node' ? 'uws' : 'node' // Never the one of the whole run.
t.teardown(() => {
  if (given === undefined) delete process.env.TRANSPORT
  else process.env.TRANSPORT = given
})
for (const file of FILES) await import(`./${file}.test.ts`)
