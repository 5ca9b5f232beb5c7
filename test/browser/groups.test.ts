/** Groups, emoji, linkifiers and the other lists of an organization in the browser client, and its audit log. */

import type { Page } from 'playwright-core'
import t from 'tap'
import sharp from 'sharp'
import { pollUntil } from '../services/poll-until.ts'
import { waitForFrames } from './conversation.ts'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
/** The pages of the owner and the member, for one test after another. */
const [admin, other] = await Promise.all([openAs(t, 'owner'), openAs(t, 'member')])
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0b7a75' } })
  .png()
  .toBuffer()

t.test('[ADMIN10] a group is made, gets members and permissions, and is deactivated', async (t) => {
  const { full_name: name } = await member.must('GET', '/users/me')
  await admin.goto('/#groups')
  await admin.getByRole('link', { name: 'New group' }).click()
  await admin.getByLabel('Name').fill('pilots')
  await admin.getByRole('button', { name: 'Create group' }).click()
  await admin.getByRole('heading', { name: 'pilots' }).waitFor()
  await other.goto('/#groups')
  await other.getByRole('link', { name: 'pilots' }).waitFor()
  await admin.getByLabel('Add people and groups').fill(name)
  await admin.getByRole('button', { name, exact: true }).click()
  await admin.getByLabel('Add people and groups').fill('Moderators')
  await admin.getByRole('button', { name: 'Moderators', exact: true }).click()
  await admin.getByRole('button', { name: 'Add to group' }).click()
  // The chip of the chosen group may still be there, with a cross of the same name.
  const remove = admin.getByRole('button', { name: 'Remove Moderators' }).filter({ hasText: 'Remove' })
  await remove.click()
  await remove.waitFor({ state: 'detached' })
  await other.getByRole('link', { name: 'pilots' }).click()
  await other.getByRole('button', { name: 'Leave', exact: true }).click()
  await other.getByRole('button', { name: 'Leave', exact: true }).waitFor({ state: 'detached' })
  await admin.getByLabel('Join').selectOption({ label: 'Members' })
  await other.getByRole('button', { name: 'Join', exact: true }).click()
  await other.getByRole('button', { name: 'Leave', exact: true }).waitFor()
  t.equal(await other.getByRole('button', { name: 'Deactivate group' }).count(), 0)
  const { user_groups: groups } = await owner.must('GET', '/user_groups')
  const pilots = groups.find((one: { name: string }) => one.name === 'pilots')
  t.same(pilots.members, [owner.userId, member.userId])
  t.same(await findFaults(admin), [])
  await admin.getByRole('button', { name: 'Deactivate group' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await other.getByText('This group is deactivated').waitFor()
})

t.test('[ADMIN11] a member adds an emoji, and a colleague uses it', async (t) => {
  const [one, two] = [other, admin]
  await owner.must('POST', '/channels/create', { name: 'deck', subscribers: [owner.userId, member.userId] })
  await one.goto('/#organization/emoji')
  await one
    .getByLabel('Picture')
    .setInputFiles({ name: 'Green Flag.PNG', mimeType: 'image/png', buffer: picture })
  await one.getByRole('img', { name: 'Preview' }).waitFor()
  t.equal(await one.getByLabel('Name').inputValue(), 'green_flag')
  await one.getByLabel('Name').fill('Grün!')
  await one.getByRole('button', { name: 'Add emoji' }).click()
  await one.getByRole('main').locator('.refused').waitFor()
  await one.getByLabel('Name').fill('green_flag')
  await one.getByRole('button', { name: 'Add emoji' }).click()
  await one.getByText(':green_flag:', { exact: true }).waitFor()
  await two
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'deck', exact: true })
    .click()
  await two.getByLabel('Message', { exact: true }).click()
  await two.getByLabel('Topic', { exact: true }).fill('flags')
  await two.getByLabel('Message', { exact: true }).fill('Raise :green_flag:')
  await two.getByRole('button', { name: 'Send', exact: true }).click()
  await two.getByRole('log').locator('img.emoji').waitFor()
  await one.getByRole('button', { name: 'Remove :green_flag:' }).click()
  await one.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await one.getByText(':green_flag:', { exact: true }).waitFor({ state: 'detached' })
})

t.test('[ADMIN12] a linkifier is made, tried, put in order and changed', async (t) => {
  await admin.goto('/#organization/linkifiers')
  for (const mark of ['T', 'S']) {
    await admin.getByRole('button', { name: 'New linkifier' }).click()
    await admin.getByLabel('Pattern').fill(`${mark}#(?P<id>[0-9]+`)
    await admin.getByLabel('Link', { exact: true }).fill(`https://${mark}.example.com/{id}`)
    await admin.getByRole('button', { name: 'Save' }).click()
    await admin.getByRole('main').locator('.refused').waitFor()
    await admin.getByLabel('Pattern').fill(`${mark}#(?P<id>[0-9]+)`)
    await admin.getByRole('button', { name: 'Save' }).click()
    await admin.getByRole('button', { name: `Edit ${mark}#` }).waitFor()
  }
  await admin.getByLabel('Message text').fill('See T#42')
  await admin.getByRole('button', { name: 'Show' }).click()
  const link = admin.getByRole('figure').getByRole('link', { name: 'T#42' })
  t.equal(await link.getAttribute('href'), 'https://T.example.com/42')
  await admin.getByRole('button', { name: 'Move S#(?P<id>[0-9]+) up' }).press('Enter')
  await admin.getByRole('listitem').filter({ hasText: 'S#' }).and(admin.locator(':first-child')).waitFor()
  await admin
    .getByRole('listitem')
    .filter({ hasText: 'T#' })
    .dragTo(admin.getByRole('listitem').filter({ hasText: 'S#' }))
  await admin.getByRole('listitem').filter({ hasText: 'T#' }).and(admin.locator(':first-child')).waitFor()
  // The page shows the order at once; the server has it a moment later.
  const patterns = await pollUntil('the server has the order', async () => {
    const { linkifiers } = await owner.must('GET', '/realm/linkifiers')
    return (
      linkifiers[0]?.pattern.startsWith('T') && linkifiers.map(({ pattern }: { pattern: string }) => pattern)
    )
  })
  t.match(patterns, [/^T/, /^S/])
})

t.test('[ADMIN13] profile fields, playgrounds, domains and default channels are made', async (t) => {
  await admin.goto('/#organization/profile-fields')
  await admin.getByRole('button', { name: 'New field' }).click()
  await admin.getByLabel('Kind').selectOption({ label: 'List of choices' })
  await admin.getByLabel('Name').fill('Watch')
  await admin.getByLabel('Choices').fill('Port\nStarboard')
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByRole('button', { name: 'Edit Watch' }).click()
  await admin.getByLabel('Choices').fill('Dog watch\nPort\nStarboard')
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByRole('button', { name: 'Edit Watch' }).waitFor()
  await admin.goto(`/#organization/people/${member.userId}`)
  await admin.getByLabel('Watch').selectOption({ label: 'Dog watch' })
  await admin.locator('.setting', { hasText: 'Watch' }).getByText('Saved').waitFor()
  const { custom_fields: fields } = await owner.must('GET', '/realm/profile_fields')
  t.same(JSON.parse(fields[0].field_data), {
    0: { text: 'Port', order: '2' },
    1: { text: 'Starboard', order: '3' },
    2: { text: 'Dog watch', order: '1' },
  })
  const { user } = await owner.must('GET', `/users/${member.userId}`, { include_custom_profile_fields: true })
  t.equal(user.profile_data[fields[0].id]?.value, '2')
  await admin.goto('/#organization/playgrounds')
  await admin.getByLabel('Language').fill('rust')
  await admin.getByLabel('Name').fill('Rust playground')
  await admin.getByLabel('Address').fill('https://play.example.com/?code={code}')
  await admin.getByRole('button', { name: 'Add playground' }).click()
  await admin.getByRole('button', { name: 'Remove Rust playground' }).waitFor()
  await admin.goto('/#organization/domains')
  await admin.getByRole('textbox', { name: 'Domain' }).fill('example.org')
  await admin.getByRole('button', { name: 'Add domain' }).click()
  await admin.getByLabel('Include subdomains').check()
  await admin.getByRole('listitem').getByText('Saved').waitFor()
  t.same((await owner.must('GET', '/realm/domains')).domains, [
    { domain: 'example.org', allow_subdomains: true },
  ])
  await owner.must('POST', '/channels/create', { name: 'bridge', subscribers: [owner.userId] })
  await admin.goto('/#organization/default-channels')
  await admin.getByLabel('Add a channel').selectOption({ label: 'bridge' })
  await admin.getByRole('button', { name: 'Add', exact: true }).click()
  await admin.getByRole('button', { name: 'Remove bridge' }).waitFor()
})

/** Holds the events of a page from its next load on, so that replies come first, until the function is called. */
async function holdEvents(page: Page): Promise<() => void> {
  const held: (() => void)[] = []
  let isHeld = true
  await page.routeWebSocket(/\/events\/stream/, (socket) => {
    const behind = socket.connectToServer()
    behind.onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  return () => {
    isHeld = false
    for (const send of held) send()
  }
}

t.test(
  '[ADMIN22] a switch shows its new state before the event comes, and the former one if it is refused',
  async (t) => {
    await owner.must('POST', '/realm/domains', { domain: 'example.net', allow_subdomains: false })
    const admin = await openAs(t, 'owner')
    const letGo = await holdEvents(admin)
    const domain = admin.getByRole('listitem').filter({ hasText: 'example.net' })
    const box = domain.getByLabel('Include subdomains')
    await admin.goto('/#organization/domains')
    await admin.reload()
    await box.check()
    await domain.getByText('Saved').waitFor()
    t.ok(await box.isChecked())
    await admin.route('**/realm/domains/*', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' } }),
    )
    await box.click()
    await domain.getByText('Not today').waitFor()
    t.notOk(await box.isChecked(), 'the state has no event yet')
    letGo()
    await admin.waitForFunction(
      (one) => one instanceof HTMLInputElement && one.checked,
      await box.elementHandle(),
    )
  },
)

t.test(
  '[ADMIN26] a list shows its new order before the event comes, and the former one if it is refused',
  async (t) => {
    const admin = await openAs(t, 'owner')
    const letGo = await holdEvents(admin)
    await admin.goto('/#organization/linkifiers')
    await admin.reload()
    const first = (mark: string) =>
      admin
        .getByRole('listitem')
        .filter({ hasText: `${mark}#` })
        .and(admin.locator(':first-child'))
    const moveUp = (mark: string) =>
      admin.getByRole('button', { name: `Move ${mark}#(?P<id>[0-9]+) up` }).click()
    await first('T').waitFor()
    const replied = admin.waitForResponse((response) => response.request().method() === 'PATCH')
    await moveUp('S')
    await (await replied).finished()
    await waitForFrames(admin)
    t.equal(await first('S').count(), 1, 'the state has no event yet')
    letGo()
    await admin.route('**/realm/linkifiers', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' } }),
    )
    await moveUp('T')
    await admin.getByText('Not today').waitFor()
    await first('S').waitFor()
  },
)

t.test('[ADMIN27] a form that is opened while another one is being saved stays open', async (t) => {
  const admin = await openAs(t, 'owner', { path: '/#organization/profile-fields' })
  const held = Promise.withResolvers<void>()
  await admin.route('**/realm/profile_fields', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  await admin.getByRole('button', { name: 'New field' }).click()
  await admin.getByLabel('Name').fill('Call sign')
  const replied = admin.waitForResponse((response) => response.request().method() === 'POST')
  await admin.getByRole('button', { name: 'Save' }).click()
  // The event comes before the reply.
  await admin.getByRole('button', { name: 'Edit Call sign' }).click()
  await admin.getByLabel('Hint').fill('As on the radio')
  held.resolve()
  await (await replied).finished()
  await waitForFrames(admin)
  t.equal(await admin.getByLabel('Hint').count(), 1)
})

t.test(
  '[ADMIN23] a form that is left half filled in is there again, until it is sent or cancelled',
  async (t) => {
    for (const { path, open, field, isCancelled } of [
      { path: '/#channels/new', field: 'Name', isCancelled: true },
      { path: '/#groups/new', field: 'Name', isCancelled: true },
      { path: '/#organization/invitations', field: 'Email addresses', isCancelled: false },
      { path: '/#organization/profile-fields', open: 'New field', field: 'Name', isCancelled: true },
      { path: '/#organization/linkifiers', open: 'New linkifier', field: 'Pattern', isCancelled: true },
      { path: '/#settings/snippets', field: 'New snippet text', isCancelled: false },
    ]) {
      const show = async () => {
        await admin.goto(path)
        if (open !== undefined) await admin.getByRole('button', { name: open }).click()
      }
      const box = admin.getByLabel(field, { exact: true })
      await show()
      await box.fill('half a')
      // Out of the field, and out of the view.
      await admin.keyboard.press('Escape')
      await admin.keyboard.press('Escape')
      await admin.getByRole('heading', { name: 'Inbox' }).waitFor()
      await show()
      t.equal(await box.inputValue(), 'half a', path)
      await admin.goBack()
      await admin.getByRole('heading', { name: 'Inbox' }).waitFor()
      await admin.goForward()
      if (open !== undefined) await admin.getByRole('button', { name: open }).click()
      t.equal(await box.inputValue(), 'half a', `${path}, by back and forward`)
      if (!isCancelled) continue
      await admin.locator('form').getByText('Cancel', { exact: true }).click()
      await box.waitFor({ state: 'detached' })
      await show()
      t.equal(await box.inputValue(), '', `${path}, cancelled`)
    }
  },
)

t.test('[ADMIN14] owners read the audit log by person and by kind', async (t) => {
  const { user_groups: groups } = await owner.must('GET', '/user_groups', {
    include_deactivated_groups: true,
  })
  const { id } = groups.find((one: { name: string }) => one.name === 'pilots')
  // More than one page of entries.
  for (let index = 0; index < 50; index++)
    await owner.must('PATCH', `/user_groups/${id}`, { description: `Description ${index}` })
  const [page, administrator] = [admin, await openAs(t, 'administrator')]
  await page.goto('/#organization/audit')
  await page.getByText('changed the group pilots: description').first().waitFor()
  t.equal(await page.getByText('created the group pilots').count(), 0)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('created the group pilots').waitFor()
  await page.getByText('added the emoji :green_flag:').waitFor()
  await page.getByLabel('About').selectOption({ label: 'Groups' })
  await page.getByText('added the emoji').waitFor({ state: 'detached' })
  await page.getByText('changed the group pilots').first().waitFor()
  const { full_name: name } = await member.must('GET', '/users/me')
  await page.getByLabel('About').selectOption({ label: 'Everything' })
  await page.getByLabel('By').selectOption({ label: name })
  await page.getByText('added the emoji :green_flag:').waitFor()
  t.equal(await page.getByText('created the group pilots').count(), 0)
  await administrator.goto('/#organization/audit')
  await administrator.getByText('This section doesn’t exist').waitFor()
})

t.test('[ADMIN25] owners see how much is stored, who wrote most, and what waits', async (t) => {
  const page = admin
  await page.goto('/#organization/server')
  const { counts, largest_users: users } = await owner.must('GET', '/realm/usage')
  const figure = page.locator('.figures > div').filter({ hasText: 'Messages' })
  t.equal(await figure.locator('strong').innerText(), String(counts.messages))
  const people = page.getByRole('table', { name: 'Most active people' })
  t.equal(await people.getByRole('row').count(), users.length + 1)
  await people.getByRole('row', { name: users[0].full_name }).waitFor()
  await server.node.services.sql`
    insert into scheduled_messages (id, user_id, topic, content, rendered, deliver_at, is_read_by_sender, client, changed_id)
    values (1, ${owner.userId}, '', '', '', extract(epoch from now())::bigint - 8000, false, '', 1)`
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Some work is late.').waitFor()
  const row = page.getByRole('row', { name: 'Scheduled messages and reminders' })
  t.match(await row.innerText(), /1\s+2 h/)
  await server.node.services.sql`delete from scheduled_messages`
  if (process.env.PARLEY_SHOTS) {
    await page.locator('.figures').scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/server.png` })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/server-phone.png`, fullPage: true })
  }
})
