/** An agent logs in by the page of this server in a real browser, with the official client. */

import { createServer } from 'node:http'
import { UnauthorizedError } from '@modelcontextprotocol/client'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { agentWith, StoredLogin } from '../harness/client/agent-login.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { PASSWORD, startScene } from './scene.ts'

const scene = await startScene(t)
const { url } = scene.server.node
const browser = await startChromium(t)

t.test('[AGENTIN14] a person logs in, chooses, and the browser is back at the agent', async (t) => {
  const answered: URLSearchParams[] = []
  const callback = await listenLocally(
    t,
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      if (pathname === '/back') answered.push(searchParams)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back at the agent</h1>')
    }),
  )
  const login = new StoredLogin(`${callback}/back`)
  const page = await browser.newPage()
  const first = agentWith(login, url)
  await t.rejects(first.connect(), UnauthorizedError)
  await page.goto(login.asked?.href ?? '')
  await page.getByLabel('Email address').fill(emailOf('member'))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Allow an agent' }).waitFor()
  t.ok(await page.getByLabel('Read only').isChecked())
  await page.getByRole('button', { name: 'Do not allow' }).click()
  await page.getByRole('heading', { name: 'Back at the agent' }).waitFor()
  t.match(Object.fromEntries(answered.at(-1) ?? []), { error: 'access_denied', state: 'a state', iss: url })

  await page.goto(login.asked?.href ?? '')
  await page.getByLabel('Read and write').check()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByRole('heading', { name: 'Back at the agent' }).waitFor()
  const [answer] = answered.slice(-1)
  if (!answer) throw new Error('the browser is not back')
  await first.transport.finishAuth(answer)
  const { agent, connect } = agentWith(login, url)
  t.teardown(() => agent.close())
  await connect()
  t.ok((await agent.listTools()).tools.some(({ name }) => name === 'send_message'))
})
