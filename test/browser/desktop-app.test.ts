/** The desktop application of the API family, which shows the server's page and gives it an object to talk by. */

import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
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
  t.match(await page.title(), /^\(1\) /)
  t.equal(await page.evaluate(() => Reflect.get(globalThis, 'desktop').sent.realm_name), 'Test Organization')
  await choose('show-keyboard-shortcuts')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
  await choose('show-notification-settings')
  await page
    .getByRole('heading', { name: /Notifications/ })
    .first()
    .waitFor()
  await choose('logout')
  await page.getByLabel('Email address').waitFor()
})
