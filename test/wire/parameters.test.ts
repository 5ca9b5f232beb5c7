/** How operations get parameters: from the query, a form or a multipart body, as text and as JSON. */

import t, { type Test } from 'tap'
import { integer } from '../../server/api/params.ts'
import { sendRaw } from './send-raw.ts'
import { startEcho } from './start-echo.ts'
import type { Named, Refusal } from '../harness/client/wire-types.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

const echo = await startEcho(t)

type Echoed = Named & Refusal & Readonly<Record<'ignored' | 'names', readonly string[]>>

/** The parameters of the operation; the body of a failure. */
async function send(
  path: string,
  init: {
    method?: string
    body?: string | URLSearchParams | FormData
    headers?: Record<string, string>
  } = {},
) {
  const response = await fetch(`${echo.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: echo.client.authorization, ...init.headers },
  })
  const body = (await response.json()) as Refusal & { readonly given: object }
  const echoed: unknown =
    response.status === 200 ? { ...body.given, ignored: body.ignored_parameters_unsupported } : body
  return echoed as Echoed
}

function form(fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams(fields)
}

function multipart(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

/** The message of a refused parameter. */
async function refusal(t: Test, fields: Record<string, string>): Promise<string> {
  const { result, msg, code, ...rest } = await send('/echo', { method: 'POST', body: form(fields) })
  t.same({ result, code, rest }, { result: 'error', code: 'BAD_REQUEST', rest: {} }, msg)
  return msg
}

t.test('[PRM1] every method takes parameters from the query, a form and a multipart body', async (t) => {
  const fields = { words: 'a b&c=d+e%é💬', count: '7', numbers: '[1,2]', flag: 'true' }
  const given = { words: fields.words, count: 7, numbers: [1, 2], flag: true }
  for (const method of METHODS) {
    t.match(await send(`/echo?${form(fields).toString()}`, { method }), given, `${method} query`)
    if (method === 'GET') continue // fetch sends no body with it.
    t.match(await send('/echo', { method, body: form(fields) }), given, `${method} form`)
    t.match(await send('/echo', { method, body: multipart(fields) }), given, `${method} multipart`)
  }
  const body = form(fields).toString()
  const answer = await sendRaw(
    echo.port,
    `GET /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: ${echo.client.authorization}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  t.match(JSON.parse(answer.body).given, given, 'GET form')
})

t.test('[PRM2] the body has precedence over the query, and the last of equal names wins', async (t) => {
  for (const body of [form({ words: 'body' }), multipart({ words: 'body' })]) {
    const given = await send('/echo?words=query&count=1', { method: 'PATCH', body })
    t.match(given, { words: 'body', count: 1 })
  }
  t.match(await send('/echo?words=1&words=2&words=3'), { words: '3' })
  const twice = multipart({})
  twice.append('words', 'first')
  twice.append('words', 'second')
  t.match(await send('/echo', { method: 'POST', body: twice }), { words: 'second' })
})

t.test('[PRM3] a body of another type is parsed as a form, as some clients send no type', async (t) => {
  for (const type of ['text/plain', 'application/octet-stream', '']) {
    const headers = { 'content-type': type }
    t.match(await send('/echo', { method: 'POST', body: 'words=x&count=3', headers }), {
      words: 'x',
      count: 3,
    })
  }
})

t.test('[PRM4] unknown parameters are named in the reply, in order', async (t) => {
  t.same((await send('/echo?words=x')).ignored, undefined)
  const { ignored, ...given } = await send('/echo?strange=1&words=x&queue%20id=2', {
    method: 'POST',
    body: form({ other: '', words: 'y' }),
  })
  t.same(given, { words: 'y' })
  t.same(ignored, ['strange', 'queue id', 'other'])
})

t.test(
  '[PRM5] an alias means its parameter, the proper name wins, and neither counts as unknown',
  async (t) => {
    t.same(await send('/echo?oldest=1'), { old: '1', ignored: undefined })
    t.same(await send('/echo?oldest=1&older=2'), { old: '2', ignored: undefined })
    t.same(await send('/echo?older=2&old=3'), { old: '3', ignored: undefined })
  },
)

t.test('[PRM6] the first missing parameter is named', async (t) => {
  const missing = (name: string) => ({
    result: 'error',
    msg: `Missing '${name}' argument`,
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: name,
  })
  t.same(await send('/demanding'), missing('first'))
  t.same(await send('/demanding?second=x'), missing('first'))
  t.same(await send('/demanding?first=1'), missing('second'))
  t.match(await send('/demanding?first=1&second='), { first: 1, second: '' }, 'empty is not missing')
})

t.test('[PRM7] an invalid value is refused with the message that clients know', async (t) => {
  const cases: [field: string, value: string, msg: string][] = [
    ['count', '{', 'count is not valid JSON'],
    ['count', '', 'count is not valid JSON'],
    ['count', 'abc', 'count is not valid JSON'],
    ['count', '"7"', 'count is not an integer'],
    ['count', '1.5', 'count is not an integer'],
    ['count', 'null', 'count is not an integer'],
    ['count', 'true', 'count is not an integer'],
    ['count', '1001', 'Invalid count'],
    ['count', '-11', 'Invalid count'],
    ['whole', '9007199254740993', 'whole is not an integer'],
    ['whole', '1e400', 'whole is not an integer'],
    ['whole', `1${'0'.repeat(400)}`, 'whole is not an integer'],
    ['whole', 'NaN', 'whole is not valid JSON'],
    ['flag', '1', 'flag is not a boolean'],
    ['flag', '"true"', 'flag is not a boolean'],
    ['flag', 'True', 'flag is not valid JSON'],
    ['color', 'blue', 'Invalid color'],
    ['color', '"red"', 'Invalid color'],
    ['numbers', '7', 'numbers is not a list'],
    ['numbers', '{"0":1,"length":1}', 'numbers is not a list'],
    ['numbers', '[1,"2"]', 'numbers[1] is not an integer'],
    ['numbers', '[1,2,3,4]', 'numbers is too long (limit: 3 items)'],
    ['names', '["abcdef"]', 'names[0] is too long (limit: 5 characters)'],
    ['names', '["a\\u0000"]', 'names[0] must not contain null characters'],
    ['brief', 'abcdef', 'brief is too long (limit: 5 characters)'],
    ['brief', ' \t ', 'brief cannot be blank'],
    ['box', '[]', 'box is not a dict'],
    ['box', 'null', 'box is not a dict'],
    ['box', '{}', 'box["side"] field is missing: Field required'],
    ['box', '{"side":"x"}', 'box["side"] is not an integer'],
    ['box', '{"side":1,"lid":2}', 'box["lid"] is not a string'],
    ['perhaps', '"x"', 'perhaps is not an integer'],
    ['days', '"never"', 'Invalid days'],
    ['days', '[]', 'Invalid days'],
    ['words', 'a\0b', 'words must not contain null characters'],
  ]
  for (const [field, value, msg] of cases) t.equal(await refusal(t, { [field]: value }), msg)
  t.same(echo.bugs, [])
})

t.test('[PRM8] valid values arrive with their types', async (t) => {
  const cases: [field: string, value: string, given: unknown][] = [
    ['count', '-10', -10],
    ['count', ' 7 ', 7],
    ['count', '1e2', 100],
    ['whole', '9007199254740991', 9007199254740991],
    ['flag', 'false', false],
    ['brief', '  ab  ', 'ab'],
    ['brief', '💬💬💬💬💬', '💬💬💬💬💬'],
    ['words', '"quoted"', '"quoted"'],
    ['words', '', ''],
    ['numbers', '[]', []],
    ['box', '{"side":1,"extra":2}', { side: 1, lid: 'none' }],
    ['perhaps', 'null', null],
    ['perhaps', '3', 3],
    ['days', '3', 3],
    ['days', '"forever"', 'forever'],
    ['days', 'forever', 'forever'],
    ['loose', '["a"]', ['a']],
    ['names', '["\\ud83d\\udcac"]', ['💬']],
  ]
  for (const [field, value, wanted] of cases) {
    const given = await send('/echo', { method: 'POST', body: form({ [field]: value }) })
    t.same(given[field], wanted, `${field}=${value}`)
  }
})

t.test(
  '[PRM9] lengths count code points, and an unpaired surrogate becomes a replacement character',
  async (t) => {
    t.equal(await refusal(t, { brief: '💬💬💬💬💬💬' }), 'brief is too long (limit: 5 characters)')
    t.same((await send('/echo', { method: 'POST', body: form({ names: '["a\\ud83d"]' }) })).names, [
      'a\ufffd',
    ])
    t.same((await send('/echo', { method: 'POST', body: form({ names: '["\\udcac"]' }) })).names, ['\ufffd'])
  },
)

t.test('[PRM10] minus zero is zero', async (t) => {
  t.ok(Object.is(integer().check(-0, 'x'), 0))
  t.match(await send('/echo?whole=-0&numbers=[-0,-0.0]'), { whole: 0, numbers: [0, 0] })
})

t.test(
  '[PRM11] digits in a path are a number if the path allows one, else text; path variables have precedence',
  async (t) => {
    t.match(await send('/echo/42'), { id: 42 })
    t.match(await send('/echo/4x'), { name: '4x' })
    t.match(await send('/echo/caf%C3%A9%2Fbar%20%2B'), { name: 'café/bar +' })
    t.match(await send('/echo/42?id=7', { method: 'POST', body: form({ id: '8' }) }), {
      id: 42,
      ignored: undefined,
    })
    t.match(await send('/echo/42/deep'), { name: '42' }, 'digits are text if no number is allowed')
    t.equal((await send('/echo/x%00y')).msg, 'name must not contain null characters')
    t.equal((await send(`/echo/${'x'.repeat(21)}`)).msg, 'name is too long (limit: 20 characters)')
    t.equal((await send('/echo/007')).msg, 'id is not valid JSON')
    for (const path of [
      '/echo/',
      '/echo//deep',
      '/echo/%zz',
      '/echo/%ff',
      '/echo/1/2/3',
      '/Echo',
      '//echo',
      '/echo/x/',
      '',
    ]) {
      t.same(await send(path), { result: 'error', msg: 'No such endpoint', code: 'NOT_FOUND' }, path)
    }
  },
)

t.test('[PRM12] files in a multipart body are ignored', async (t) => {
  const body = multipart({ words: 'x' })
  body.set('photo', new Blob([new Uint8Array(300_000)]), 'photo.png')
  body.set('count', '3')
  t.match(await send('/echo', { method: 'POST', body }), { words: 'x', count: 3, ignored: undefined })
})

t.test('[PRM13] the client name comes from its User-Agent', async (t) => {
  const cases = [
    ['ParleyTerm/1.2 (linux)', 'ParleyTerm'],
    ['curl', 'curl'],
    [`${'x'.repeat(100)}/1`, 'x'.repeat(30)],
    ['/1', 'API'],
  ]
  for (const [agent = '', name] of cases) {
    const response = await fetch(`${echo.url}/api/v1/echo`, {
      headers: { authorization: echo.client.authorization, 'user-agent': agent },
    })
    t.equal(((await response.json()) as { client: string }).client, name, agent)
  }
})
