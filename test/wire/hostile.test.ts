/** Bodies, headers and values that no honest client sends: each gets an error, and nothing is left behind. */

import { once } from 'node:events'
import t, { type Test } from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection, type RawAnswer, sendRaw } from './send-raw.ts'
import { startEcho } from './start-echo.ts'

const CRLF = '\r\n'
const FORM = 'application/x-www-form-urlencoded'
const MIB = 1024 * 1024
let onRun: (signal: AbortSignal) => Promise<void> = async () => undefined

const echo = await startEcho(t, { onRun: (signal) => onRun(signal) })

function head(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ Host: 'x', Authorization: echo.client.authorization, ...headers })
  return [
    `${method} /api/v1${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join(CRLF)
}

function post(path: string, body: string | Buffer, type = FORM): Promise<RawAnswer> {
  const length = Buffer.byteLength(body)
  return sendRaw(echo.port, [head('POST', path, { 'Content-Type': type, 'Content-Length': length }), body])
}

function postMultipart(lines: readonly string[], boundary = 'xyz'): Promise<RawAnswer> {
  return post('/echo', lines.join(CRLF), `multipart/form-data; boundary=${boundary}`)
}

async function isAlive(): Promise<boolean> {
  const { status, body } = await post('/echo', 'whole=1')
  return status === 200 && JSON.parse(body).given.whole === 1
}

/** A test after which the server must still work, without a failure of its own. */
function hostile(title: string, attack: (t: Test) => Promise<void>): void {
  t.test(title, async (t) => {
    await attack(t)
    t.same(echo.bugs, [], 'nothing failed on the server side')
    t.ok(await isAlive(), 'the server still works')
  })
}

hostile(
  '[HOS1] a body over the limit is 413, by its length or in chunks, and one at the limit is accepted',
  async (t) => {
    const refusal = {
      result: 'error',
      msg: `Request body is too large (limit: ${2 * MIB} bytes)`,
      code: 'BAD_REQUEST',
    }
    const over = await post('/echo', `words=${'x'.repeat(2 * MIB)}`)
    t.equal(over.status, 413)
    t.same(JSON.parse(over.body), refusal)
    t.ok(over.headers.get('x-request-id'))

    const chunk = `10000${CRLF}${'x'.repeat(0x10000)}${CRLF}`
    const chunked = await sendRaw(echo.port, [
      head('POST', '/echo', { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' }),
      ...Array<string>(33).fill(chunk),
      `0${CRLF}${CRLF}`,
    ])
    t.equal(chunked.status, 413)
    t.same(JSON.parse(chunked.body), refusal)

    const fits = await post('/echo', `words=${'x'.repeat(2 * MIB - 6)}`)
    t.equal(fits.status, 200)
    t.equal(JSON.parse(fits.body).given.words.length, 2 * MIB - 6)
  },
)

hostile(
  '[HOS2] a body that declares far too much is refused before it arrives, and the connection ends',
  async (t) => {
    const socket = await openConnection(echo.port)
    const closed = once(socket, 'close')
    const answer = await sendRaw(
      socket,
      head('POST', '/echo', { 'Content-Type': FORM, 'Content-Length': 10 ** 12 }),
    )
    t.equal(answer.status, 413)
    await closed
  },
)

hostile('[HOS3] a body in chunks of one byte is one body', async (t) => {
  const body = `words=${'y'.repeat(5_000)}`
  const chunks = Array.from(body)
    .map((byte) => `1${CRLF}${byte}${CRLF}`)
    .join('')
  const answer = await sendRaw(
    echo.port,
    `${head('POST', '/echo', { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' })}${chunks}0${CRLF}${CRLF}`,
  )
  t.equal(JSON.parse(answer.body).given.words, 'y'.repeat(5_000))
})

hostile(
  '[HOS4] paths of more than 16 KiB are refused in the form of the API, headers of more than 32 KiB by the library',
  async (t) => {
    const long = await sendRaw(echo.port, head('GET', `/echo?words=${'x'.repeat(12_000)}`))
    t.equal(JSON.parse(long.body).given.words.length, 12_000)
    for (const length of [16_384, 30_000]) {
      const tooLong = await sendRaw(echo.port, head('GET', `/echo?words=${'x'.repeat(length)}`))
      t.equal(tooLong.status, 414)
      t.match(JSON.parse(tooLong.body), { result: 'error', code: 'BAD_REQUEST' })
    }
    t.equal((await sendRaw(echo.port, head('GET', '/echo', { 'X-Long': 'x'.repeat(20_000) }))).status, 200)
    t.equal((await sendRaw(echo.port, head('GET', '/echo', { 'X-Long': 'x'.repeat(40_000) }))).status, 431)
  },
)

hostile('[HOS5] bytes that are no HTTP request are refused, and the connection ends', async (t) => {
  for (const bytes of [
    'GET /api/v1/echo HTTP/9.9\r\n\r\n',
    'GET /api/v1/echo HTTP/1.1\r\n\r\n', // No host.
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03, 13, 10, 13, 10]),
  ]) {
    const answer = await sendRaw(echo.port, bytes).catch(() => undefined) // An end without an answer counts, too.
    if (answer) t.match(answer.status, /^[45]0[0-9]$/, JSON.stringify(bytes.toString()))
    t.ok(await isAlive())
  }
})

hostile('[HOS6] a malformed multipart body is 400', async (t) => {
  const disposition = 'Content-Disposition: form-data; name="words"'
  const file = 'Content-Disposition: form-data; name="f"; filename="f.txt"'
  const cases: Record<string, Promise<RawAnswer>> = {
    'no boundary': post('/echo', 'x', 'multipart/form-data'),
    'an empty boundary': post('/echo', 'x', 'multipart/form-data; boundary='),
    'no part': postMultipart(['--xyz']),
    'nothing but text': postMultipart(['some text']),
    'an unfinished field': postMultipart(['--xyz', disposition, '', 'abc']),
    'an unfinished file': postMultipart(['--xyz', file, 'Content-Type: text/plain', '', 'abc']),
    'unfinished headers': postMultipart(['--xyz', 'Content-Dispo']),
    'another boundary': postMultipart(['--abc', disposition, '', 'abc', '--abc--', '']),
    'a file, then a cut field': postMultipart(['--xyz', file, '', 'abc', '--xyz', disposition, '', 'a']),
  }
  for (const [what, answer] of Object.entries(cases)) {
    const { status, body } = await answer
    t.equal(status, 400, what)
    t.same(JSON.parse(body), { result: 'error', msg: 'Malformed request body', code: 'BAD_REQUEST' }, what)
  }
})

hostile('[HOS7] an odd but complete multipart body is parsed as far as it has fields', async (t) => {
  const end = ['--xyz--', '']
  const field = ['--xyz', 'Content-Disposition: form-data; name="whole"', '', '5']
  const cases: Record<string, readonly string[]> = {
    'a part without a name': ['--xyz', 'Content-Disposition: form-data', '', 'a', ...field, ...end],
    'a part without headers': ['--xyz', '', 'a', ...field, ...end],
    'a preamble and an epilogue': ['before', ...field, ...end, 'after', 'and more'],
    'an unknown charset': [
      '--xyz',
      'Content-Disposition: form-data; name="words"',
      'Content-Type: text/plain; charset=x-none',
      '',
      'a',
      ...field,
      ...end,
    ],
    'an empty file': [
      '--xyz',
      'Content-Disposition: form-data; name="f"; filename=""',
      '',
      '',
      ...field,
      ...end,
    ],
  }
  for (const [what, lines] of Object.entries(cases)) {
    const { status, body } = await postMultipart(lines)
    t.equal(status, 200, what)
    t.equal(JSON.parse(body).given.whole, 5, what)
  }
})

hostile('[HOS8] names of object properties are plain parameter names', async (t) => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', '*']
  const fields = names.map((name) => `${name}=1`).join('&')
  const { body } = await post(`/echo?${fields}`, `${fields}&whole=1`)
  t.same(JSON.parse(body), {
    result: 'success',
    msg: '',
    given: { whole: 1 },
    client: 'API',
    ignored_parameters_unsupported: names,
  })
  const nested = encodeURIComponent('{"__proto__":{"side":1},"constructor":{"prototype":{"side":1}}}')
  t.equal(
    JSON.parse((await post('/echo', `box=${nested}`)).body).msg,
    'box["side"] field is missing: Field required',
  )
  t.equal(Reflect.get({}, 'side'), undefined)
  for (const name of names) t.equal((await sendRaw(echo.port, head('GET', `/${name}`))).status, 404)
})

hostile('[HOS9] more than 1,000 fields are refused and not cut off, wherever they are', async (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')
  const refusal = {
    result: 'error',
    msg: 'Too many parameters in one request (maximum 1000).',
    code: 'BAD_REQUEST',
  }
  for (const body of [many(10_000), `${many(1_000)}&whole=1`, '&'.repeat(1_000), 'a=1&'.repeat(1_000)]) {
    const answer = await post('/echo', body)
    t.equal(answer.status, 400)
    t.same(JSON.parse(answer.body), refusal)
  }
  t.same(JSON.parse((await sendRaw(echo.port, head('GET', `/echo?${'a&'.repeat(1_500)}`))).body), refusal)
  const parts = Array.from({ length: 1_001 }, (_, index) => [
    '--xyz',
    `Content-Disposition: form-data; name="f${index}"`,
    '',
    '1',
  ])
  t.same(JSON.parse((await postMultipart([...parts.flat(), '--xyz--', ''])).body), refusal)
  t.equal(JSON.parse((await post('/echo', `${many(999)}&whole=1`)).body).given.whole, 1)
})

hostile('[HOS10] invalid UTF-8 becomes replacement characters, and broken escapes stay', async (t) => {
  const cases: [body: string | Buffer, words: string][] = [
    ['words=%ff%fe', '\ufffd\ufffd'],
    ['words=%c3', '\ufffd'],
    ['words=%ed%a0%80', '\ufffd\ufffd\ufffd'], // An encoded surrogate.
    ['words=%zz%4', '%zz%4'],
    ['words=100%', '100%'],
    [Buffer.from([...Buffer.from('words='), 0xff, 0x41]), '\ufffdA'],
  ]
  for (const [body, words] of cases) t.equal(JSON.parse((await post('/echo', body)).body).given.words, words)
})

hostile(
  '[HOS11] JSON nested more than 32 deep, or with more than 30,000 values, is refused before it is parsed',
  async (t) => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    const cases: [field: string, value: string, msg: string][] = [
      ['numbers', `${'['.repeat(32)}${']'.repeat(32)}`, 'numbers[0] is not an integer'],
      ['numbers', `${'['.repeat(33)}${']'.repeat(33)}`, 'numbers is not valid JSON'],
      ['numbers', deep, 'numbers is too long'],
      ['names', deep, 'names is not valid JSON'],
      ['days', deep, 'days is too long'],
      ['box', objects, 'box is not valid JSON'],
      ['box', '{"side":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}', 'box["side"] is not an integer'],
      ['names', `[${'1,'.repeat(29_998)}1]`, 'names is too long (limit: 10000 items)'],
      ['names', `[${'1,'.repeat(30_000)}1]`, 'names is not valid JSON'],
      ['names', '['.repeat(500_000), 'names is not valid JSON'],
    ]
    for (const [field, value, msg] of cases) {
      const { status, body } = await post('/echo', `${field}=${encodeURIComponent(value)}`)
      t.equal(status, 400, field)
      t.equal(JSON.parse(body).msg, msg)
    }
  },
)

hostile(
  '[HOS12] a client that disconnects ends its waiting request and leaves nothing running',
  async (t) => {
    let running = 0
    let aborted = 0
    onRun = (signal) => {
      running++
      return new Promise((resolve) => {
        const end = () => {
          aborted++
          resolve()
        }
        signal.addEventListener('abort', end)
      })
    }
    t.teardown(() => {
      onRun = async () => undefined
    })
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openConnection(echo.port)))
    for (const socket of sockets) socket.write(head('GET', '/echo'))
    await pollUntil('all run', () => running === 10)
    t.equal(await echo.http.drained(0), false)
    for (const socket of sockets) socket.destroy()
    await pollUntil('all are aborted', () => aborted === 10)
    t.ok(await echo.http.drained(20_000))
    onRun = async () => undefined
  },
)

hostile(
  '[HOS12b] a request that takes far too long gets an answer, and its operation is aborted',
  async (t) => {
    let isAborted = false
    onRun = (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          resolve()
        })
      })
    const answer = sendRaw(echo.port, head('GET', '/echo'))
    await pollUntil('it is under way', async () => !(await echo.http.drained(0)))
    echo.http.endOverdue(performance.now() + 100_000)
    t.notOk(isAborted, 'the longest poll takes less')
    echo.http.endOverdue(performance.now() + 121_000)
    const { status, body, headers } = await answer
    t.equal(status, 503)
    t.equal(JSON.parse(body).code, 'SERVICE_UNAVAILABLE')
    t.match(headers.get('retry-after'), /^[1-9]\d*$/)
    t.ok(isAborted)
    onRun = async () => undefined
  },
)

hostile('[HOS13] a body that never ends is dropped with its client', async (t) => {
  const socket = await openConnection(echo.port)
  socket.write(`${head('POST', '/echo', { 'Content-Type': FORM, 'Content-Length': 1_000 })}words=`)
  await pollUntil('it is under way', async () => !(await echo.http.drained(0)))
  socket.destroy()
  t.ok(await echo.http.drained(20_000))
})

hostile('[HOS14] a body for an unknown path is refused without waiting for it', async (t) => {
  const socket = await openConnection(echo.port)
  t.teardown(() => socket.destroy())
  const start = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n`
  t.equal((await sendRaw(socket, start)).status, 404)
  // The rest of the body is discarded, and the connection stays usable.
  const rest = await sendRaw(socket, ['x'.repeat(3_000_000), head('GET', '/echo?whole=2')])
  t.same(JSON.parse(rest.body).given, { whole: 2 })
})

hostile('[HOS15] pipelined requests are answered in order', async (t) => {
  const socket = await openConnection(echo.port)
  t.teardown(() => socket.destroy())
  const text: string[] = []
  socket.on('data', (chunk: Buffer) => text.push(chunk.toString()))
  socket.write([1, 2, 3].map((whole) => head('GET', `/echo?whole=${whole}`)).join(''))
  const given = () => [...text.join('').matchAll(/"whole":(\d)/g)].map(([, whole]) => whole)
  await pollUntil('three answers', () => given().length === 3)
  t.same(given(), ['1', '2', '3'])
})
