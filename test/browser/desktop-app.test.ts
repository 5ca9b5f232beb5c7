/** The desktop application of the API family, which shows the server's page and gives it an object to talk by. */

import t from 'tap'
import { emailOf } from '../harness/servers/start-server.ts'
import { PASSWORD, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const HEADERS = { 'user-agent': 'Mozilla/5.0 Chrome/130 Electron/33 ZulipElectron/5.11.1 Safari/537.36' }

t.test('[DESKTOP4] the application finds the server by its settings, and opens its page', async (t) => {
  const answer = await fetch(`${server.node.url}/api/v1/server_settings`, { headers: HEADERS })
  const settings = (await answer.json()) as Record<string, unknown>
  t.match(settings, { realm_name: 'Test Organization', realm_icon: String, zulip_feature_level: Number })
  t.equal(settings.realm_uri, server.node.url)
  const page = await fetch(String(settings.realm_uri), { headers: HEADERS })
  t.match(await page.text(), /<div id="app">/)
})

t.test('[DESKTOP5] the application hears of unread messages, and its menu acts on the page', async (t) => {
  const page = await openAs(t, 'member', { userAgent: HEADERS['user-agent'] })
  await page.addInitScript(() => {
    const sent: Record<string, unknown> = {}
    const listeners = new Map<string, () => void>()
    const bridge = {
      on_event: (name: string, listener: () => void) => listeners.set(name, listener),
      send_event: (name: string, value: unknown) => (sent[name] = value),
    }
    const choose = (name: string) => listeners.get(name)?.()
    Object.assign(globalThis, { electron_bridge: bridge, desktop: { sent, listeners, choose } })
  })
  await page.reload()
  const choose = async (name: string) => {
    await page.waitForFunction((one) => Reflect.get(globalThis, 'desktop').listeners.has(one), name)
    await page.evaluate((one) => Reflect.get(globalThis, 'desktop').choose(one), name)
  }
  await page.waitForFunction(() => Reflect.get(globalThis, 'desktop').sent.total_unread_count === 0)
  await owner.sendDirect([member.userId], 'Are you there?')
  await page.waitForFunction(() => Reflect.get(globalThis, 'desktop').sent.total_unread_count === 1)
  await page.waitForFunction(() => document.title.startsWith('(1) '))
  t.equal(await page.evaluate(() => Reflect.get(globalThis, 'desktop').sent.realm_name), 'Test Organization')
  await choose('show-keyboard-shortcuts')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await choose('show-notification-settings')
  await page
    .getByRole('heading', { name: /Notifications/ })
    .first()
    .waitFor()
  await choose('logout')
  await page.getByLabel('Email address').waitFor()
})

t.test(
  "[DESKTOP6] a person logs in by the system's browser, and the application takes the token",
  async (t) => {
    const context = await browser.newContext({ baseURL: server.node.url, userAgent: HEADERS['user-agent'] })
    const page = await context.newPage()
    // As the application does it: a key, and the first text of the clipboard that it decrypts.
    await page.addInitScript(() => {
      const key = crypto.getRandomValues(new Uint8Array(32))
      let take: (token: string) => void = () => {}
      const pasted = new Promise<string>((resolve) => (take = resolve))
      const decrypt = async (hex: string) => {
        const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
        const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
        const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, 12) }
        take(new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, imported, bytes.slice(12))))
      }
      const bridge = {
        on_event: () => {},
        send_event: () => {},
        decrypt_clipboard: (version: number) => ({ version, key, pasted }),
      }
      Object.assign(globalThis, { electron_bridge: bridge, paste: decrypt })
    })
    await page.goto('/')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Log in with your browser' }).click()
    const other = await opened
    await page.getByText('Log in there').waitFor()
    t.match(new URL(other.url()).search, /^\?desktop_flow_otp=[0-9a-f]{64}$/)
    await other.getByLabel('Email address').fill(emailOf('member'))
    await other.getByLabel('Password').fill(PASSWORD)
    await other.getByRole('button', { name: 'Log in', exact: true }).click()
    await other.getByRole('button', { name: 'Copy token' }).waitFor()
    const field = other.getByLabel('Token')
    const token = await field.inputValue()
    await page.evaluate((one) => Reflect.get(globalThis, 'paste')(one), token)
    await page.getByRole('navigation', { name: 'Places' }).waitFor()
    await context.close()
  },
)
