/** Errors as pages for people, and as JSON for programs. */

import t from 'tap'
import { startTestServer } from '../harness/servers/start-server.ts'
import { mustPostFile } from '../harness/client/user-files.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const server = await startTestServer(t)
const { url } = server.node
const { authorization } = server.as('member')
const file = await mustPostFile(server.as('member'), 'hello', 'plan.txt')

async function open(path: string, accept: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers: { accept, ...headers } })
  return { answer, status: answer.status, text: await answer.text() }
}

t.test('[PAGES11] a person gets errors as a page in the one look, a program as JSON', async (t) => {
  for (const [path, status, text] of [
    ['/nothing/here', 404, 'There is no page at this address.'],
    [file.replace('plan', 'other'), 404, 'File not found.'],
    ['/accounts/nothing', 404, 'There is no page at this address.'],
  ] as const) {
    const person = await open(path, BROWSER, { authorization })
    t.equal(person.status, status, path)
    t.equal(person.answer.headers.get('content-type'), 'text/html; charset=utf-8')
    t.match(person.answer.headers.get('content-security-policy'), "default-src 'none'")
    t.equal(person.answer.headers.get('cache-control'), 'no-store')
    t.match(person.text, text)
    t.match(person.text, '<bdi>Test Organization</bdi>')
    const program = await open(path, '*/*', { authorization })
    t.equal(program.status, status)
    t.match(JSON.parse(program.text), { result: 'error', code: 'NOT_FOUND' })
  }
})

t.test('[PAGES12] operations of the API answer people, too, by JSON', async (t) => {
  for (const path of ['/api/v1/nothing', '/api/v1/users/me', '/json/users/me']) {
    const { answer, text } = await open(path, BROWSER)
    t.equal(answer.headers.get('content-type'), 'application/json', path)
    t.match(JSON.parse(text), { result: 'error' })
  }
})

t.test('[PAGES13] no page makes a browser ask for Basic credentials', async (t) => {
  const { answer, text, status } = await open(file, BROWSER)
  t.equal(status, 401)
  t.match(answer.headers.get('www-authenticate'), /^Session /)
  t.match(text, `<a href="/accounts/login?next=${encodeURIComponent(file)}">Log in</a>`)
  t.match(text, 'Only people with an account can open this.')
})

t.test('[PAGES14] an address that asks too often gets a page that says so', async (t) => {
  const busy = await startTestServer(t, { env: { RATE_LIMIT_ADDRESS_PER_MINUTE: '1' } })
  const ask = () => fetch(`${busy.node.url}/nothing`, { headers: { accept: BROWSER } })
  let last = await ask()
  for (let count = 0; last.status === 404 && count < 100; count++) {
    await last.arrayBuffer()
    last = await ask()
  }
  t.equal(last.status, 429)
  t.ok(Number(last.headers.get('retry-after')) > 0)
  const text = await last.text()
  t.match(text, '<h1>Too many requests</h1>')
  t.match(text, 'Too many tries. Wait a minute, then try again.')
})
