/** Settings that change how people read and write: guests are marked, scrolling reads, edits are kept, calls have a provider. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startBigBlueButton } from '../harness/providers/start-bigbluebutton.ts'
import { startCallProvider } from '../harness/providers/start-call-provider.ts'
import { startTeam } from './team.ts'

const bbb = await startBigBlueButton(t)
const provider = await startCallProvider(t)
const { server, openAs } = await startTeam(t, {
  ...bbb.env,
  ...provider.env,
  LIVEKIT_URL: 'wss://livekit.example.com',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret',
  LIVEKIT_MEET_URL: `${provider.url}/meet`, // Any page that a browser can open.
})
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }],
  principals: [owner.userId, member.userId, guest.userId],
  send_new_subscription_messages: false,
})
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id?stream=plans')
const { full_name: guestName } = await guest.must('GET', '/users/me')
const channel = `/#narrow/channel/${channelId}-plans`
const log = (page: Page) => page.getByRole('log')
const side = (page: Page) => page.getByRole('navigation', { name: 'Places' })

t.test(
  '[PEOPLE10] guests are marked, and people who write to them are warned, if the organization wants it',
  async (t) => {
    await guest.send('plans', 'guests', 'Hello from outside')
    await guest.sendDirect([member.userId], 'A question')
    await owner.must('PATCH', '/realm', {
      enable_guest_user_indicator: true,
      enable_guest_user_dm_warning: true,
    })
    const page = await openAs(t, 'member', { path: `${channel}/topic/guests` })
    await log(page).locator('.by').getByText('guest', { exact: true }).waitFor()
    await side(page)
      .getByRole('link', { name: `${guestName} (guest)` })
      .click()
    const warning = page.getByText(`${guestName} is a guest in your organization.`)
    await warning.waitFor()
    await owner.must('PATCH', '/realm', {
      enable_guest_user_indicator: false,
      enable_guest_user_dm_warning: false,
    })
    await warning.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: guestName, exact: true }).waitFor()
    t.equal(await log(page).locator('.by').getByText('guest', { exact: true }).count(), 0)
  },
)

t.test(
  '[READ1] if only single conversations are read by scrolling, a list of several reads nothing',
  async (t) => {
    await member.must('POST', '/mark_all_as_read')
    await member.must('PATCH', '/settings', { web_mark_read_on_scroll_policy: 2 })
    await owner.send('plans', 'one', 'The first')
    await owner.send('plans', 'two', 'The second')
    const page = await openAs(t, 'member', { path: '/#feed' })
    await log(page).getByText('The second').waitFor()
    await log(page).getByText('The first').waitFor()
    await page.goto(`${channel}/topic/one`)
    await log(page).getByText('The first').waitFor()
    // Both were on the screen before: they would be read together.
    await page.waitForFunction(() => document.title.startsWith('(1) '))
    await page.goto('/#inbox')
    await page.getByRole('main').getByRole('link', { name: /^two/ }).waitFor()
    await member.must('PATCH', '/settings', { web_mark_read_on_scroll_policy: 1 })
    await page.goto('/#feed')
    await page.waitForFunction(() => !document.title.startsWith('('))
  },
)

t.test(
  '[WRITE9] an edit that is not saved survives a reload, and is taken back if it was discarded',
  async (t) => {
    const id = await member.send('plans', 'edits', 'Too short')
    const page = await openAs(t, 'member', { path: `${channel}/topic/edits` })
    const area = page.getByLabel('Message text')
    const begin = async () => {
      await page.locator(`#message-${id}`).hover()
      await page.locator(`#message-${id}`).getByRole('button', { name: 'Edit' }).click()
    }
    await begin()
    await area.press('End')
    await area.pressSequentially(', as I noticed')
    await page.reload()
    await area.waitFor()
    t.equal(await area.inputValue(), 'Too short, as I noticed')
    await page.keyboard.press('Escape')
    await area.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await area.waitFor()
    t.equal(await area.inputValue(), 'Too short, as I noticed')
    await area.press('Enter')
    await log(page).getByText('Too short, as I noticed').waitFor()
    await area.waitFor({ state: 'detached' })
    await page.reload()
    await log(page).getByText('Too short, as I noticed').waitFor()
    t.equal(await area.count(), 0, 'the edit is over')
  },
)

t.test('[WRITE10] Enter saves an edit only if it also sends messages', async (t) => {
  await member.must('PATCH', '/settings', { enter_sends: false })
  const id = await member.send('plans', 'lines', 'One')
  const page = await openAs(t, 'member', { path: `${channel}/topic/lines` })
  await page.locator(`#message-${id}`).hover()
  await page.locator(`#message-${id}`).getByRole('button', { name: 'Edit' }).click()
  const area = page.getByLabel('Message text')
  await area.press('End')
  await area.press('Enter')
  await area.pressSequentially('Two')
  t.equal(await area.inputValue(), 'One\nTwo')
  await area.press('Control+Enter')
  await area.waitFor({ state: 'detached' })
  await log(page).getByText('Two').waitFor()
  t.equal((await member.must('GET', `/messages/${id}`)).raw_content, 'One\nTwo')
})

t.test(
  '[CALLBUTTON1] the button writes the link of a call at the provider that the organization chose',
  async (t) => {
    const page = await openAs(t, 'member', { path: `${channel}/topic/calls` })
    const field = page.getByLabel('Message', { exact: true })
    const button = page.getByRole('button', { name: 'Video call' })
    /** The page has the new provider once its button is back. */
    const choose = async (video_chat_provider: number) => {
      await owner.must('PATCH', '/realm', { video_chat_provider: 0 })
      await button.waitFor({ state: 'detached' })
      await owner.must('PATCH', '/realm', { video_chat_provider })
      await button.waitFor()
    }
    await field.pressSequentially('Now: ')
    await page.getByRole('button', { name: 'Preview' }).waitFor()
    t.equal(await button.count(), 0, 'there is none without a provider')

    await owner.must('PATCH', '/realm', {
      video_chat_provider: 1,
      jitsi_server_url: 'https://jitsi.example.com/',
    })
    await button.click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.endsWith(') '))
    t.match(
      await field.inputValue(),
      /^Now: \[Join the video call\]\(https:\/\/jitsi\.example\.com\/[0-9a-f]{32}\) $/,
    )

    await choose(4)
    await field.fill('At ')
    await button.click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.endsWith(') '))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const link = log(page).getByRole('link', { name: 'Join the video call' })
    await link.waitFor()
    const [call] = await Promise.all([page.waitForEvent('popup'), link.click()])
    await call.waitForURL(`${bbb.url}/api/join?**`)
    const joined = bbb.join(call.url())
    t.match(joined, { role: 'MODERATOR', userID: String(member.userId) })
    t.equal(bbb.meetings.get(joined?.meetingID ?? '')?.fields.name, 'plans › calls')
    await call.close()

    await field.fill('In ') // The bar is whole while there is a text.
    await choose(1000)
    await button.click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.endsWith(') '))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await link.nth(1).waitFor()
    const [room] = await Promise.all([page.waitForEvent('popup'), link.nth(1).click()])
    await room.waitForURL(`${provider.url}/meet/custom?liveKitUrl=wss**`)
    await room.close()

    await field.fill('Or ')
    await choose(3)
    await button.click()
    const allow = page.getByRole('button', { name: 'Allow calls' })
    await allow.waitFor()
    const [asking] = await Promise.all([page.waitForEvent('popup'), allow.click()])
    await asking.waitForURL(`${provider.url}/oauth/authorize?**`)
    const body = provider.agree(asking.url())
    t.equal((await fetch(`${server.node.url}/calls/provider/complete`, { method: 'POST', body })).status, 200)
    await asking.close()
    await button.click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.endsWith(') '))
    t.match(
      await field.inputValue(),
      /^Or \[Join the video call\]\(https:\/\/calls\.example\.com\/j\/\d+\) $/,
    )
    const { PARLEY_SHOTS: folder } = process.env
    if (folder) await page.screenshot({ path: `${folder}/call-button.png` })
  },
)
