/** Arranging channels, folders and topics in the browser client. */

import t from 'tap'
import { emailOf } from '../harness/servers/start-server.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t, { MAIL_IN_ADDRESS: 'parley+%s@chat.example.com' })
const owner = server.as('owner')

/** The pages of the owner and the member, for one test after another. */
const [page, colleague] = await Promise.all([openAs(t, 'owner'), openAs(t, 'member')])

t.test('[ARRANGE1] a person makes a channel with a colleague, who sees it at once', async (t) => {
  const { full_name: name } = await server.as('member').must('GET', '/users/me')
  await page.goto('/#channels')
  await page.getByRole('link', { name: 'New channel' }).click()
  await page.getByLabel('Name').fill('harbour')
  await page.getByLabel('Description').fill('Boats and **tides**')
  await page.getByLabel('Private: members can read all messages').check()
  await page.getByLabel('Invite people').fill(name)
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('main').getByRole('heading', { name: 'harbour' }).waitFor()
  await colleague.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'harbour' }).waitFor()
  const { streams } = await owner.must('GET', '/streams')
  const made = streams.find((one: { name: string }) => one.name === 'harbour')
  t.match(made, { invite_only: true, history_public_to_subscribers: true, subscriber_count: 2 })
})

t.test('[ARRANGE2] a person finds a channel by its description, joins it and leaves it', async () => {
  await owner.must('POST', '/channels/create', {
    name: 'garden',
    description: 'Tomatoes and beans',
    subscribers: [owner.userId],
  })
  await colleague.goto('/#channels')
  await colleague.getByRole('searchbox', { name: 'Search channels' }).fill('tomatoes')
  await colleague.getByText('1 member', { exact: true }).waitFor()
  await colleague.getByRole('button', { name: 'Join garden' }).click()
  await colleague.getByText('2 members', { exact: true }).waitFor()
  const places = colleague.getByRole('navigation', { name: 'Places' })
  await places.getByRole('link', { name: 'garden' }).waitFor()
  await colleague.getByRole('button', { name: 'Leave garden' }).click()
  await places.getByRole('link', { name: 'garden' }).waitFor({ state: 'detached' })
  await colleague.getByRole('searchbox', { name: 'Search channels' }).fill('no such words')
  await colleague.getByText('No matching channels').waitFor()
})

t.test('[ARRANGE3] settings of a channel are saved at once, and refused ones say why', async (t) => {
  const { id } = await owner.must('POST', '/channels/create', {
    name: 'attic',
    subscribers: [owner.userId, server.as('member2').userId],
  })
  await owner.must('POST', '/channels/create', { name: 'cellar', subscribers: [owner.userId] })
  const other = await openAs(t, 'member2')
  await page.goto(`/#channels/${id}`)
  await page.getByLabel('Name', { exact: false }).first().fill('cellar')
  await page.keyboard.press('Enter')
  await page.getByText('already').waitFor()
  await page.getByLabel('Name', { exact: false }).first().fill('loft')
  await page.keyboard.press('Enter')
  await page.getByText('Saved').waitFor()
  const places = other.getByRole('navigation', { name: 'Places' })
  await places.getByRole('link', { name: 'loft' }).waitFor()
  await page.getByLabel('Who can post').selectOption({ label: 'Administrators' })
  await page.getByText('Saved').last().waitFor()
  await page.getByRole('group', { name: 'Color' }).getByLabel('Indigo').check()
  await page.getByRole('group', { name: 'Color Saved' }).waitFor()
  await page.getByLabel('Mute').click()
  await page.locator('.toggle', { hasText: 'Mute' }).getByText('Saved').waitFor()
  const { subscriptions } = await owner.must('GET', '/users/me/subscriptions')
  t.match(
    subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === id),
    { color: '#4338ca', is_muted: true },
  )
  const { full_name: name } = await server.as('member2').must('GET', '/users/me')
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await places.getByRole('link', { name: 'loft' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archive channel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await page.getByText('This channel is archived').waitFor()
  const { streams } = await owner.must('GET', '/streams', { exclude_archived: false })
  t.match(
    streams.find(({ stream_id }: { stream_id: number }) => stream_id === id),
    { name: 'loft', is_archived: true },
  )
})

t.test('[CHANMAIL3] a person copies the address for emails to a channel, for each sender', async (t) => {
  const { id } = await owner.must('POST', '/channels/create', {
    name: 'mailroom',
    subscribers: [owner.userId],
  })
  const expected = async (sender: object) =>
    (await owner.must('GET', `/streams/${id}/email_address`, { ...sender })).email
  await page.goto(`/#channels/${id}`)
  const section = page.getByRole('region', { name: 'Email to this channel' })
  await section.getByText(await expected({}), { exact: true }).waitFor()
  await section.getByText('Each message names the sender of the email').waitFor()
  await section.getByLabel('Posted by').selectOption({ label: 'You' })
  const ownAddress = await expected({ sender_id: owner.userId })
  await section.getByText(ownAddress, { exact: true }).waitFor()
  await section.getByText(`Only emails from ${emailOf('owner')} are posted`).waitFor()
  await section.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Address copied').waitFor()
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), ownAddress)

  await owner.must('DELETE', `/streams/${id}`)
  await section.waitFor({ state: 'detached' })
})

t.test('[ARRANGE4] folders are made, renamed and ordered, and fold on the device', async (t) => {
  await page.goto('/#channels/folders')
  for (const name of ['Ships', 'Ports']) {
    await page.getByLabel('New folder').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: `Archive ${name}` }).waitFor()
  }
  await page.getByRole('button', { name: 'Move Ports up' }).click()
  await page.getByRole('button', { name: 'Move Ships up' }).waitFor()
  const { id } = await owner.must('POST', '/channels/create', {
    name: 'tugs',
    subscribers: [owner.userId],
  })
  await page.goto(`/#channels/${id}`)
  await page.getByLabel('Folder').selectOption({ label: 'Ships' })
  const places = page.getByRole('navigation', { name: 'Places' })
  const section = places.getByRole('group', { name: 'Ships' })
  await section.getByRole('link', { name: 'tugs' }).waitFor()
  await section.getByRole('button', { name: 'Ships' }).click()
  await section.getByRole('link', { name: 'tugs' }).waitFor({ state: 'detached' })
  await page.reload()
  await section.getByRole('button', { name: 'Ships', expanded: false }).waitFor()
  const { channel_folders: folders } = await owner.must('GET', '/channel_folders')
  t.same(
    folders.map(({ name }: { name: string }) => name),
    ['Ports', 'Ships'],
  )
})

t.test('[ARRANGE6] a name that is typed while the former one is being saved stays', async (t) => {
  await page.goto('/#channels/folders')
  const held = Promise.withResolvers<void>()
  await page.route('**/channel_folders/create', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  const field = page.getByLabel('New folder')
  await field.fill('Docks')
  await page.getByRole('button', { name: 'Create' }).click()
  // The event comes before the reply.
  await page.getByRole('button', { name: 'Archive Docks' }).waitFor()
  await field.fill('Buoys')
  held.resolve()
  await page.locator('form').getByText('Saved').waitFor()
  t.equal(await field.inputValue(), 'Buoys')
  await page.unroute('**/channel_folders/create')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Archive Buoys' }).waitFor()
})

t.test('[ARRANGE5] the menus of the sidebar mute, follow, resolve and move topics', async (t) => {
  const member = server.as('member')
  await owner.must('POST', '/channels/create', {
    name: 'dock',
    subscribers: [owner.userId, member.userId],
  })
  for (const topic of ['ropes', 'paint'])
    await member.must('POST', '/messages', { type: 'channel', to: 'dock', topic, content: 'Who has some?' })
  const places = page.getByRole('navigation', { name: 'Places' })
  const { stream_id: dockId } = await owner.must('GET', '/get_stream_id?stream=dock')
  const open = (topic: string) => page.goto(`/#narrow/channel/${dockId}-dock/topic/${topic}`)
  const choose = async (menu: string, item: string) => {
    const button = places.getByRole('button', { name: `Menu of ${menu}`, exact: true })
    const entry = places
      .getByRole('menuitem', { name: item })
      .or(places.getByRole('menuitemcheckbox', { name: item }))
    // A row that takes another place meanwhile closes its menu.
    while (!(await entry.isVisible())) {
      await places.getByRole('link', { name: new RegExp(`^${menu}`) }).hover()
      await button.click()
      await entry.waitFor({ timeout: 2_000 }).catch(() => undefined)
    }
    await entry.click()
  }
  await open('ropes')
  await choose('ropes', 'Follow')
  await choose('ropes', 'Move or rename…')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Topic' }).fill('lines')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await places.getByRole('link', { name: /^lines/ }).waitFor()
  await open('paint')
  await choose('paint', 'Mark as resolved')
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await choose('dock', 'Copy link')
  await page.getByText('Link copied').waitFor()
  t.match(await page.evaluate(() => navigator.clipboard.readText()), /#narrow\/channel\/\d+-dock$/)
  await page.goto('/#inbox')
  await member.send('dock', 'nails', 'And some of these?')
  await places.getByRole('link', { name: 'dock 1 unread' }).waitFor()
  await choose('dock', 'Mark as read')
  await places.getByRole('link', { name: 'dock', exact: true }).waitFor()
  await choose('dock', 'Pin to top')
  await places.getByRole('group', { name: 'Pinned' }).getByRole('link', { name: 'dock' }).waitFor()
  const { subscriptions } = await owner.must('GET', '/users/me/subscriptions')
  const dock = subscriptions.find(({ name }: { name: string }) => name === 'dock')
  t.equal(dock.pin_to_top, true)
  const { topics } = await owner.must('GET', `/users/me/${dock.stream_id}/topics`)
  t.ok(topics.some(({ name }: { name: string }) => name === '✔ paint'))
})
