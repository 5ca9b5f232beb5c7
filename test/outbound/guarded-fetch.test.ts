/**
 * Attacks on the way out. The machine's loopback stands for both sides: 127.0.0.2 is allowed and plays the Internet, and
 * all else is inside. Node reports each socket that it opens, so a refused request shows that nothing was dialled.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { BlockList, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config.ts'
import { Destinations, isPublicAddress } from '../../server/outbound/destinations.ts'
import { type GuardedRequest, GuardedFetch } from '../../server/outbound/guarded-fetch.ts'
import type { Resolve } from '../../server/outbound/resolve-names.ts'
import { FOR_LOCALHOST } from '../harness/databases/certificates.ts'
import { pollUntil } from '../services/poll-until.ts'

const OUTSIDE = '127.0.0.2'
const networks = new BlockList()
networks.addAddress(OUTSIDE)
const SETTINGS = { networks, hosts: ['friend.test'] }
const BOUNDS: GuardedRequest = { totalMsMax: 20_000, firstByteMsMax: 20_000, bodyBytesMax: 64 * 1024 }
const QUICK: GuardedRequest = { ...BOUNDS, totalMsMax: 300 }

async function listen(t: Test, server: Server, host = OUTSIDE): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, host)
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

const serve = (t: Test, answer: RequestListener) => listen(t, createServer(answer))

/** A server that reads a request and writes bytes of its own. */
const serveRaw = (t: Test, answer: (socket: Socket) => void) =>
  listen(
    t,
    createRawServer((socket) => socket.once('data', () => answer(socket))),
  )

const byTable =
  (table: Readonly<Record<string, readonly string[]>>): Resolve =>
  async (host) =>
    table[host] ?? []
const guard = (resolve: Resolve = byTable({ 'outside.test': [OUTSIDE] })) =>
  new GuardedFetch(SETTINGS, { resolve })

/** Counts the sockets that the process opens meanwhile. */
async function countDials(run: () => Promise<unknown>): Promise<number> {
  let count = 0
  const note = () => count++
  subscribe('net.client.socket', note)
  try {
    await run()
  } finally {
    unsubscribe('net.client.socket', note)
  }
  return count
}

async function expectRefused(
  t: Test,
  fetch: GuardedFetch,
  address: string,
  more: Partial<GuardedRequest> = {},
) {
  const dials = await countDials(() =>
    t.rejects(fetch.fetch(address, { ...BOUNDS, ...more }), { name: 'DestinationRefusedError' }, address),
  )
  t.equal(dials, 0, `${address} dials nothing`)
}

const INSIDE = `
  127.0.0.1 2130706433 0177.0.0.1 017700000001 0x7f.1 0x7f000001 127.1 127.0.1 0 0.0.0.0 ①②⑦.⓪.⓪.①
  127。0。0。1 127.0.0.1. %31%32%37.0.0.1 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
  [2001:0:7f00:1::] [fe80::1] [fec0::1] [4000::1] [fd00:ec2::254] [ff02::1] [2001:db8::1]
  169.254.169.254 10.1.2.3 100.64.0.1 172.16.0.1 192.168.0.1 192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1
  255.255.255.255 192.0.2.1 127.0.0.3`.match(/\S+/g) as string[]

t.test('[GUARD1] an address inside is refused in every spelling, and nothing is dialled', async (t) => {
  const fetch = guard()
  for (const host of INSIDE) {
    await expectRefused(t, fetch, `http://${host}/`)
    await expectRefused(t, fetch, `https://${host}/`, { isSecureOnly: true })
  }
  for (const address of [
    'http://[fe80::1%25lo]/',
    'http://[fe80::1%lo]/',
    'http://',
    'nothing',
    '//127.0.0.1/',
    '',
  ])
    await expectRefused(t, fetch, address)
})

t.test(
  '[GUARD2] a request goes only to web addresses without credentials, on the ports of the web',
  async (t) => {
    const fetch = guard(byTable({ 'public.test': ['8.8.8.8'] }))
    for (const address of [
      'file:///etc/passwd',
      'gopher://public.test/',
      'ftp://public.test/',
      'data:text/plain,x',
      'http://user:pw@public.test/',
      'http://user@public.test/',
      'http://public.test:22/',
      'http://public.test:6379/',
      'https://public.test:80/',
      'http://public.test:443/',
      'http://8.8.8.8:8080/',
      'http://public.test:1@127.0.0.1/',
      'http://127.0.0.1\\@public.test/',
      'http://127.0.0.1#@public.test/',
    ])
      await expectRefused(t, fetch, address)
    await expectRefused(t, fetch, 'http://public.test/', { isSecureOnly: true })
    // Nor with networks of the operator's own, where ports are known only with the addresses.
    const strict = new GuardedFetch(
      { networks: undefined, hosts: [] },
      { resolve: byTable({ 'public.test': ['8.8.8.8'] }) },
    )
    await expectRefused(t, strict, 'http://public.test:6379/')
    await expectRefused(t, strict, `http://${OUTSIDE}/`)
  },
)

t.test('[GUARD3] all addresses of a name must be public: one inside refuses it', async (t) => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ]
  const odd = [
    'fe80::1%lo',
    '0.0.0.0',
    '::',
    '100.64.0.1',
    'fec0::1',
    '4000::1',
    '0177.0.0.1',
    '::7f00:1',
    'words',
  ]
  for (const address of [...inside, ...odd]) {
    await expectRefused(t, guard(byTable({ 'inner.test': [address] })), 'http://inner.test/')
    await expectRefused(t, guard(byTable({ 'mixed.test': ['8.8.8.8', address] })), 'http://mixed.test/')
    await expectRefused(t, guard(byTable({ 'mixed.test': [address, '2606:4700::1'] })), 'https://mixed.test/')
  }
  await expectRefused(t, guard(), 'http://without-address.test/')
})

t.test(
  '[GUARD4] the address that was checked is dialled, also if the name leads elsewhere at once',
  async (t) => {
    const port = await serve(t, (_request, response) => response.end('outside'))
    const inner = await listen(
      t,
      createServer((_request, response) => response.end('inside')),
      '127.0.0.1',
    )
    const answers = [[OUTSIDE], ['127.0.0.1']]
    let asked = 0
    const fetch = guard(async () => answers[asked++ % 2] as string[])
    t.match(await fetch.fetch(`http://rebinding.test:${port}/`, BOUNDS), {
      status: 200,
      body: Buffer.from('outside'),
    })
    t.equal(asked, 1, 'it is asked for once')
    await expectRefused(t, fetch, `http://rebinding.test:${inner}/`)
    t.match(await fetch.fetch(`http://rebinding.test:${port}/`, BOUNDS), { status: 200 })
  },
)

t.test('[GUARD5] each redirect is checked like the first address', async (t) => {
  let location = ''
  let status = 302
  const port = await serve(t, ({ url }, response) => {
    if (url === '/end') response.end('the end')
    else response.writeHead(status, { location: location.replace(/[^ -~]+/g, encodeURIComponent) }).end()
  })
  const from = `http://outside.test:${port}/`
  const follow = (more: Partial<GuardedRequest> = {}) =>
    countDials(() =>
      t.rejects(
        guard(byTable({ 'outside.test': [OUTSIDE], 'inner.test': ['10.0.0.1'] })).fetch(from, {
          ...BOUNDS,
          redirectsMax: 5,
          ...more,
        }),
        { name: 'DestinationRefusedError' },
        `${status} to ${location}`,
      ),
    )
  for (const one of [
    ...INSIDE.map((host) => `http://${host}/`),
    'http://inner.test/',
    '//127.0.0.1/',
    'file:///etc/passwd',
    'http://user@outside.test/',
    'http://',
    ' http://2130706433',
  ])
    for (status of [301, 302, 303, 307, 308]) {
      location = one
      t.equal(await follow(), 1)
    }
  location = from
  t.equal(await follow(), 6, 'a circle ends')
  location = '/end'
  t.match(await guard().fetch(from, { ...BOUNDS, redirectsMax: 5 }), {
    body: Buffer.from('the end'),
    url: { pathname: '/end' },
  })
  t.match(await guard().fetch(from, BOUNDS), { status: 308 }, 'none is followed unless that is asked for')
})

t.test('[GUARD6] TLS must prove the name', async (t) => {
  const server = createSecureServer(FOR_LOCALHOST, (_request, response) => response.end())
  const port = await listen(t, server)
  await t.rejects(guard().fetch(`https://outside.test:${port}/`, BOUNDS), { code: /CERT|SIGNATURE/ })
})

t.test('[GUARD7] an endless or packed answer is cut at its bound', async (t) => {
  const zeros = Buffer.alloc(8 * 1024 * 1024)
  const bombs: Readonly<Record<string, Buffer>> = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros) }
  const port = await serve(t, ({ url = '' }, response) => {
    const [, coding = ''] = url.split('/')
    if (coding === 'endless') {
      const more = () => void response.write(Buffer.alloc(16 * 1024), (error) => error || setImmediate(more))
      return more()
    }
    response.setHeader('content-encoding', decodeURIComponent(coding))
    response.end(bombs[coding] ?? gzipSync('small'))
  })
  const fetch = guard()
  const at = (path: string) => `http://outside.test:${port}/${path}`
  for (const path of ['endless', 'gzip', 'br'])
    await t.rejects(fetch.fetch(at(path), BOUNDS), { message: 'the answer is too long' }, path)
  for (const path of ['gzip,%20gzip', 'zstd', 'compress'])
    await t.rejects(
      fetch.fetch(at(path), BOUNDS),
      { message: 'the answer is packed in an unknown way' },
      path,
    )
  t.match(await fetch.fetch(at('x-gzip'), BOUNDS), { body: Buffer.from('small') })
  t.match(
    await fetch.fetch(at('endless'), { ...BOUNDS, bodyBytesMax: 0 }),
    { status: 200 },
    'it need not be read',
  )
})

t.test('[GUARD8] silence, drips and answers without end are ended by their time', async (t) => {
  const every = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 10)
    socket.once('close', () => clearInterval(timer))
  }
  const kinds: Readonly<Record<string, (socket: Socket) => void>> = {
    silence: () => undefined,
    'headers in drips': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      every(socket, 'x')
    },
    'early hints without end': (socket) => every(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'a body in drips': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      every(socket, 'x')
    },
    'half a body': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    'half a packed body': (socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\n\r\n'),
          gzipSync('text').subarray(0, 12),
        ]),
      ),
  }
  for (const [kind, answer] of Object.entries(kinds)) {
    const port = await serveRaw(t, answer)
    await t.rejects(
      guard().fetch(`http://outside.test:${port}/`, QUICK),
      { message: /takes too long|aborted/ },
      kind,
    )
  }
  const port = await serveRaw(t, kinds['headers in drips'] as (socket: Socket) => void)
  const early = { ...BOUNDS, firstByteMsMax: 100 }
  await t.rejects(guard().fetch(`http://outside.test:${port}/`, early), {
    message: 'the answer does not begin',
  })
  const never: Resolve = () => new Promise(() => undefined)
  await t.rejects(guard(never).fetch('http://outside.test/', QUICK), { message: /takes too long/ })
})

t.test('[GUARD9] a broken answer is an error', async (t) => {
  const kinds: Readonly<Record<string, string>> = {
    'long headers': `HTTP/1.1 200 OK\r\n${`x: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`,
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    nonsense: 'nonsense\r\n\r\n',
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'a body that is cut off': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf',
    'packed nonsense': 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf',
  }
  for (const [kind, text] of Object.entries(kinds)) {
    const port = await serveRaw(t, (socket) => socket.end(text))
    await t.rejects(guard().fetch(`http://outside.test:${port}/`, BOUNDS), Error, kind)
  }
})

t.test(
  '[GUARD10] a request carries nothing of this server, and takes no proxy of the environment',
  async (t) => {
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:9/'
    t.teardown(() => {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
    })
    let seen: unknown
    const port = await serve(t, ({ headers, method }, response) => {
      seen = { method, ...headers }
      response.writeHead(201, { 'set-cookie': 'a=b' }).end()
    })
    const headers = { Host: 'inner.test', Cookie: 'a=b', 'Content-Type': 'text/plain' }
    const request = { ...BOUNDS, method: 'POST', headers, body: Buffer.from('hello') } as const
    for (let round = 0; round < 2; round++) {
      t.match(await guard().fetch(`http://outside.test:${port}/`, request), { status: 201 })
      t.same(seen, {
        method: 'POST',
        'content-type': 'text/plain',
        'accept-encoding': 'gzip, br',
        'content-length': '5',
        host: `outside.test:${port}`,
        connection: 'close',
      })
    }
  },
)

t.test('[GUARD11] a host gets four requests at once, and a slow one holds up no other', async (t) => {
  const open: (() => void)[] = []
  const port = await serve(t, (_request, response) => open.push(() => response.end()))
  const fetch = guard(byTable({ 'slow.test': [OUTSIDE], 'other.test': [OUTSIDE] }))
  const slow = Array.from({ length: 6 }, () => fetch.fetch(`http://slow.test:${port}/`, BOUNDS))
  await pollUntil('the host has its requests', () => open.length === 4)
  const other = fetch.fetch(`http://other.test:${port}/`, BOUNDS)
  await pollUntil('another host has one, too', () => open.length === 5)
  await t.rejects(fetch.fetch(`http://slow.test:${port}/`, QUICK), { name: 'NoTurnError' }, 'waiting counts')
  t.equal(open.length, 5)
  for (const end of open.splice(0)) end()
  await other
  await pollUntil('the others follow', () => open.length === 2)
  for (const end of open.splice(0)) end()
  await Promise.all(slow)
})

t.test('[GUARD12] the operator may allow networks and hosts inside, and no others', async (t) => {
  const port = await serve(t, (_request, response) => response.end('friend'))
  const fetch = guard(byTable({ 'friend.test': ['127.0.0.2'], 'stranger.test': ['127.0.0.3'] }))
  const secure = { ...BOUNDS, isSecureOnly: true }
  t.match(await fetch.fetch(`http://friend.test:${port}/`, secure), { body: Buffer.from('friend') })
  t.match(await fetch.fetch(`http://FRIEND.test.:${port}/`, secure), { body: Buffer.from('friend') })
  t.match(await fetch.fetch(`http://${OUTSIDE}:${port}/`, secure), { body: Buffer.from('friend') })
  t.match(await fetch.fetch(`http://[::ffff:${OUTSIDE}]:${port}/`, secure), { body: Buffer.from('friend') })
  await expectRefused(t, fetch, `http://stranger.test:${port}/`)
  await expectRefused(t, fetch, `http://not-friend.test:${port}/`)
})

t.test('[GUARD13] public addresses pass', async (t) => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'])
    t.ok(isPublicAddress(address), address)
  const destinations = new Destinations({ networks: undefined, hosts: [] })
  for (const address of ['https://example.org/', 'http://8.8.8.8/', 'https://[2606:4700::1]:443/'])
    t.doesNotThrow(() => destinations.check(new URL(address), false), address)
})

t.test('[GUARD14] OUTBOUND_ALLOWED takes networks, addresses and names of hosts', async (t) => {
  const { networks, hosts } = readConfig({
    OUTBOUND_ALLOWED: '10.1.0.0/16, fd00::/8, Push.Internal,localhost',
  }).outbound
  t.same(hosts, ['push.internal', 'localhost'])
  t.ok(networks?.check('10.1.2.3', 'ipv4') && networks.check('fd00::1', 'ipv6'))
  t.notOk(networks?.check('10.2.0.1', 'ipv4'))
  t.same(readConfig({}).outbound, { networks: undefined, hosts: [] })
  for (const wrong of ['10.1.0.0/33', 'https://push.internal', 'a b', '0.0.0.0/0', '1.2.3'])
    t.throws(() => readConfig({ OUTBOUND_ALLOWED: wrong }), { message: /^OUTBOUND_ALLOWED must/ }, wrong)
})

const reusing = (resolve: Resolve) => new GuardedFetch(SETTINGS, { resolve, reusesConnections: true })
/** Most requests of a guard that reuses connections read no answer. */
const UNREAD: GuardedRequest = { ...BOUNDS, method: 'POST', body: Buffer.from('hello'), bodyBytesMax: 0 }

t.test(
  '[GUARD15] a kept connection stays at the address that was checked for it, and each new one is checked',
  async (t) => {
    const server = createServer((_request, response) => response.writeHead(201).end())
    const port = await listen(t, server)
    let answer = [OUTSIDE]
    let asked = 0
    const fetch = reusing(async () => {
      asked++
      return answer
    })
    const address = `http://changing.test:${port}/`
    const post = (more: Partial<GuardedRequest> = {}) =>
      countDials(async () => t.match(await fetch.fetch(address, { ...UNREAD, ...more }), { status: 201 }))
    t.same([await post(), await post(), await post()], [1, 0, 0], 'one connection serves all')
    t.equal(asked, 1, 'and one look at the name')
    t.equal(await post({ isSecureOnly: true }), 1, 'requests under other rules have connections of their own')
    answer = ['127.0.0.1']
    t.same([await post(), await post({ isSecureOnly: true })], [0, 0], 'it stays where it is')
    t.equal(asked, 2)
    server.closeAllConnections()
    await pollUntil('the end arrives', async () => {
      try {
        return (await post()) < 0
      } catch (error) {
        return (error as Error).name === 'DestinationRefusedError'
      }
    })
    await expectRefused(t, fetch, address, UNREAD)
    await expectRefused(t, fetch, address, { ...UNREAD, isSecureOnly: true })
    answer = [OUTSIDE]
    t.equal(await post(), 1)
    const nowMs = performance.now.bind(performance)
    performance.now = () => nowMs() + 31_000
    t.teardown(() => Reflect.deleteProperty(performance, 'now'))
    t.same([await post(), await post(), await post()], [0, 1, 0], 'an old one serves its last request')
  },
)

t.test('[GUARD16] only a connection whose answer is over is kept', async (t) => {
  const port = await serve(t, ({ url }, response) => {
    if (url === '/short') response.writeHead(400).end('the reason')
    else if (url === '/close') response.writeHead(201, { connection: 'close' }).end()
    else if (url === '/long') response.writeHead(400).end(Buffer.alloc(1_000_000))
    else response.writeHead(400).write('never ends')
  })
  const fetch = reusing(byTable({ 'outside.test': [OUTSIDE] }))
  const dialsAfter = async (path: string, more: Partial<GuardedRequest> = {}) => {
    await fetch.fetch(`http://outside.test:${port}/${path}`, { ...UNREAD, ...more })
    return countDials(() => fetch.fetch(`http://outside.test:${port}/short`, UNREAD))
  }
  t.equal(await dialsAfter('short'), 0)
  t.equal(await dialsAfter('short', BOUNDS), 0, 'also if it is read')
  for (const path of ['close', 'long', 'endless']) t.equal(await dialsAfter(path), 1, path)
  const isCut: Partial<GuardedRequest> = { bodyBytesMax: () => ({ bytesMax: 10, isStartEnough: true }) }
  t.equal(await dialsAfter('long', isCut), 1, 'a start that is enough')
  await t.rejects(fetch.fetch(`http://outside.test:${port}/endless`, { ...QUICK, bodyBytesMax: 100 }))
  t.equal(await dialsAfter('short'), 0)
})

t.test('[GUARD17] a guard for few hosts may ask each more often at once, within its own bound', async (t) => {
  const open: (() => void)[] = []
  const port = await serve(t, (_request, response) => open.push(() => response.end()))
  const fetch = new GuardedFetch(SETTINGS, {
    resolve: byTable({ 'one.test': [OUTSIDE], 'other.test': [OUTSIDE] }),
    turns: { max: 8, perHostMax: 6 },
  })
  const ask = (host: string) =>
    Array.from({ length: 10 }, () => fetch.fetch(`http://${host}.test:${port}/`, BOUNDS))
  const one = ask('one')
  await pollUntil('the host has its requests', () => open.length === 6)
  const other = ask('other')
  await pollUntil('another host has the rest', () => open.length === 8)
  const dialled: string[] = []
  const late = { ...QUICK, onDial: () => dialled.push('late') }
  await t.rejects(fetch.fetch(`http://other.test:${port}/`, late), { name: 'NoTurnError' })
  t.same([open.length, dialled], [8, []])
  let isOver = false
  const all = Promise.all([...one, ...other]).then(() => (isOver = true))
  await pollUntil('all are answered', () => {
    for (const end of open.splice(0)) end()
    return isOver
  })
  await all
})
