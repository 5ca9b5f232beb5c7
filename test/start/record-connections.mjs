/**
 * Writes each connection that a Node process asks for into the file of `PARLEY_CONNECTIONS`, a line for each: loaded by
 * `NODE_OPTIONS=--import=…`, so that child processes and threads load it, too. Plain JavaScript, for any Node.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import process from 'node:process'

const note = (kind, target) =>
  appendFileSync(process.env.PARLEY_CONNECTIONS, `${kind} ${target} ${process.argv[1] ?? '-'}\n`)

/** Calls `before` with the arguments of each call. */
function watch(object, name, before) {
  const original = object[name]
  object[name] = function (...args) {
    before(args)
    return original.apply(this, args)
  }
}

watch(net.Socket.prototype, 'connect', ([first, second]) => {
  const options = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object')
    note(options.path ? 'path' : 'host', options.path ?? options.host ?? 'localhost')
  else if (Number.isNaN(Number(options))) note('path', options)
  else note('host', typeof second === 'string' ? second : 'localhost')
})
for (const name of ['send', 'connect'])
  watch(dgram.Socket.prototype, name, (args) =>
    note('datagram', args.filter((one) => typeof one === 'string').join(',')),
  )
for (const [object, names] of [
  [dns, Object.keys(dns).filter((name) => /^(lookup|resolve)/.test(name))],
  [dns.promises, Object.keys(dns.promises).filter((name) => /^(lookup|resolve)/.test(name))],
])
  for (const name of names) watch(object, name, ([host]) => note('name', host))
// For modules that import a function by its name.
syncBuiltinESMExports()
