/** Profiles, presence and status in the browser client. */

import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const { full_name: ownerName } = await owner.must('GET', '/users/me')
const { full_name: memberName } = await member.must('GET', '/users/me')
const { id: channelId } = await owner.must('POST', '/channels/create', {
  name: 'kitchen',
  subscribers: [owner.userId, member.userId],
})
const sent = { type: 'channel', to: 'kitchen', topic: 'soup', content: 'Hot!' }
await member.must('POST', '/messages', sent)

/** The page of the owner, for one test after another. */
const page = await openAs(t, 'owner')

t.test('[PEOPLE1] a click on a name opens the card of the person, which leads to a message', async (t) => {
  const { id: fieldId } = await owner.must('POST', '/realm/profile_fields', { name: 'Desk', field_type: 1 })
  await member.must('PATCH', '/users/me/profile_data', { data: [{ id: fieldId, value: 'By the window' }] })
  await member.must('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
  await page.goto(`/#narrow/channel/${channelId}-kitchen/topic/soup`)
  await page.getByRole('log').getByRole('link', { name: memberName }).click()
  const card = page.getByRole('dialog', { name: memberName })
  await card.getByText('By the window').waitFor()
  await card.getByText('Local time').waitFor()
  await card.getByRole('link', { name: 'kitchen' }).waitFor()
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await page.getByRole('log').getByRole('link', { name: memberName }).click()
  await card.getByRole('link', { name: 'Full profile' }).click()
  await page.getByRole('main').getByRole('heading', { name: memberName, level: 2 }).waitFor()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('button', { name: 'Unmute' }).waitFor()
  await page.getByRole('button', { name: 'Unmute' }).click()
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await page.getByRole('main').getByLabel('Message', { exact: true }).waitFor()
  t.match(page.url(), new RegExp(`#narrow/dm/${member.userId}$`))
})

t.test('[PEOPLE2] a status with an emoji reaches others at once, and can be cleared', async (t) => {
  const [one, two] = [page, await openAs(t, 'member')]
  await two.goto(`/#user/${owner.userId}`)
  await two.getByRole('heading', { name: ownerName, level: 2 }).waitFor()
  await one.getByRole('button', { name: 'You' }).click()
  await one.getByRole('menuitem', { name: 'Set status' }).click()
  await one.getByRole('button', { name: 'On vacation' }).click()
  t.equal(await one.getByLabel('Status', { exact: true }).inputValue(), 'On vacation')
  await one.getByLabel('Clear after').selectOption({ label: '1 hour' })
  await one.getByRole('button', { name: 'Save' }).click()
  const status = two.getByRole('main').getByText('On vacation')
  await status.waitFor()
  await two.getByRole('main').getByRole('img', { name: 'palm_tree' }).waitFor()
  await one.getByRole('dialog', { name: 'Set status' }).waitFor({ state: 'detached' })
  await one.reload()
  await one.getByRole('button', { name: 'You' }).click()
  await one.getByRole('menuitem', { name: 'Set status' }).click()
  t.equal(await one.getByLabel('Clear after').inputValue(), 'former', 'a reload forgets no end')
  await one.getByRole('button', { name: 'Save' }).click()
  await one.getByRole('dialog', { name: 'Set status' }).waitFor({ state: 'detached' })
  // The time has come while the page was closed.
  await one.evaluate(() => {
    const end = JSON.parse(localStorage.getItem('parley-status-end') ?? '')
    localStorage.setItem('parley-status-end', JSON.stringify({ ...end, atMs: 1 }))
  })
  await one.reload()
  await status.waitFor({ state: 'detached' })
})

t.test('[PEOPLE3] presence is reported by an open page, unless the person hides it', async (t) => {
  await owner.must('PATCH', '/settings', { presence_enabled: false })
  const page = await openAs(t, 'owner')
  const watcher = await openAs(t, 'member2')
  await watcher.goto(`/#user/${member.userId}`)
  const main = watcher.getByRole('main')
  await main.getByText('Offline').or(main.getByText('Active')).first().waitFor()
  await openAs(t, 'member')
  await main.getByText('Active').waitFor()
  await page.getByRole('navigation', { name: 'Places' }).getByText(ownerName).waitFor()
  await watcher.goto(`/#user/${owner.userId}`)
  await main.getByText('Offline').waitFor()
})

t.test('[PEOPLE9] messages of a muted person are one quiet line until they are asked for', async (t) => {
  await member.must('POST', '/messages', { ...sent, topic: 'muted', content: 'before' })
  await page.goto(`/#narrow/channel/${channelId}-kitchen/topic/muted`)
  const log = page.getByRole('log')
  await log.getByText('before').waitFor()
  await owner.must('POST', `/users/me/muted_users/${member.userId}`)
  await log.getByText('Message from someone you muted').waitFor()
  t.equal(await log.getByText('before').count(), 0)
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const [count = ''] = /^\(\d+\) /.exec(await page.title()) ?? []
  await member.must('POST', '/messages', { ...sent, topic: 'muted', content: 'after' })
  await member.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'in private' })
  await owner.must('POST', '/messages', { ...sent, topic: 'muted', content: 'of the owner' })
  await page.goto(`/#narrow/channel/${channelId}-kitchen/topic/muted`)
  await log.getByText('of the owner').waitFor()
  // The one of the owner is read as it is shown; the others never count.
  const title = `${count}muted · kitchen`
  await page.waitForFunction((expected) => document.title.startsWith(expected), title)
  const places = page.getByRole('navigation', { name: 'Places' })
  t.equal(await places.getByRole('link', { name: memberName }).count(), 0)
  t.equal(await log.getByText('Message from someone you muted').count(), 2)
  await log.getByRole('button', { name: 'Show' }).nth(1).click()
  await log.getByText('after').waitFor()
  await log.getByRole('link', { name: memberName }).waitFor()
  t.equal(await log.getByText('before').count(), 0)
  await owner.must('DELETE', `/users/me/muted_users/${member.userId}`)
  await log.getByText('before').waitFor()
  await places.getByRole('link', { name: memberName }).waitFor()
})
