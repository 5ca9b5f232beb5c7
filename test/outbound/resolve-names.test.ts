/** Names that users gave are asked for at servers of DNS, which are real ones here: silent ones hold up no others. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createResolve } from '../../server/outbound/resolve-names.ts'

const ANSWERED = '203.0.113.7'
const TYPE_A = 1

/** A server that knows one address, and answers nothing for names that begin with `silent`. */
async function startDns(t: Test) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    if (name.startsWith('silent')) return
    const isKnown = name === 'good.test'
    const hasAnswer = isKnown && type === TYPE_A
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2) // An answer, or no such name.
    head.writeUInt16BE(hasAnswer ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const record = Buffer.from([
      0xc0,
      12,
      0,
      TYPE_A,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      4,
      ...ANSWERED.split('.').map(Number),
    ])
    const parts = [head, query.subarray(12, end), ...(hasAnswer ? [record] : [])]
    socket.send(Buffer.concat(parts), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

t.test('[NAMES1] names whose servers are silent hold up no other name', async (t) => {
  const { server, asked } = await startDns(t)
  const resolve = createResolve([], [server])
  let ended = 0
  const silent = Array.from({ length: 20 }, (_, index) => resolve(`silent${index}.test`))
  for (const one of silent) one.catch(() => undefined).finally(() => ended++)
  t.strictSame(await resolve('good.test'), [ANSWERED])
  t.equal(ended, 0, 'while the others wait')
  t.ok(asked.includes('silent19.test'), 'all are asked for at once')
  const endings = await Promise.allSettled(silent)
  t.ok(endings.every(({ status }) => status === 'rejected'))
})

t.test(
  '[NAMES2] a name without an address is refused, and one of a host that is allowed is asked of the system',
  async (t) => {
    const { server, asked } = await startDns(t)
    const resolve = createResolve(['localhost'], [server])
    await t.rejects(resolve('absent.test'), { code: 'ENOTFOUND' })
    t.ok((await resolve('localhost')).includes('127.0.0.1'))
    t.strictSame([...new Set(asked)], ['absent.test'])
  },
)
