/** The administration in the browser client: who sees it, settings, people and invitations. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { drawImage } from '../harness/client/upload.ts'
import { findFaults } from './find-faults.ts'
import { showView } from './show-view.ts'
import { openTeam, PASSWORD, startTeam } from './team.ts'

const mailServer = await startMailServer(t)
const { server, browser, openAs } = await startTeam(t, mailServer.env)
await startMailWorkers(t, server, 1)
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
/** The pages of the owner and the member, for one test after another. */
const [admin, member] = await Promise.all([openAs(t, 'owner'), openAs(t, 'member')])
const SOURCE = 'Default picture for new people'

async function openAdministration(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test Organization' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
}

t.test('[ADMIN1] people see the sections that are for them', async (t) => {
  await openAdministration(admin)
  const sections = admin.getByRole('navigation', { name: 'Administration' })
  await sections.getByRole('link', { name: 'People', exact: true }).waitFor()
  await openAdministration(member)
  const theirs = member.getByRole('navigation', { name: 'Administration' })
  await theirs.getByRole('link', { name: 'Permissions' }).click()
  await member.getByRole('heading', { name: /^Administration.*Permissions$/ }).waitFor()
  await member.getByLabel('Create public channels').waitFor()
  t.equal(await member.getByLabel('Create public channels').isDisabled(), true, 'members only see it')
  t.equal(await theirs.getByRole('link', { name: 'People' }).count(), 0)
  await member.goto('/#organization/people')
  await member.getByText('This section doesn’t exist').waitFor()
})

t.test('[ADMIN2] a setting is saved at once, and a refused one says why beside its field', async (t) => {
  await member.goto('/#inbox')
  await admin.goto('/#organization/profile')
  await admin.getByRole('textbox', { name: 'Name', exact: true }).fill('   ')
  await admin.keyboard.press('Enter')
  await admin.getByRole('main').getByText('cannot be blank').waitFor()
  await admin.getByRole('textbox', { name: /^Name/ }).fill('Harbour Office')
  await admin.keyboard.press('Enter')
  await member.getByRole('navigation', { name: 'Places' }).getByText('Harbour Office').waitFor()
  await admin.getByRole('textbox', { name: 'Description' }).fill('We look after **boats**')
  await admin.getByRole('textbox', { name: 'Description' }).blur()
  await admin.getByRole('figure').locator('strong', { hasText: 'boats' }).waitFor()
  await admin.goto('/#organization/joining')
  await admin.getByLabel('People can change their names').click()
  await admin.locator('.toggle', { hasText: 'change their names' }).getByText('Saved').waitFor()
  const { realm_name_changes_disabled: isOff } = await owner.must('POST', '/register')
  t.equal(isOff, true)
})

t.test('[ADMIN24] an icon that an owner uploads is shown beside the name, to everyone', async (t) => {
  await member.goto('/#inbox')
  await admin.goto('/#organization/profile')
  const icon = member.locator('.side .organization img')
  const source = async () => (await icon.getAttribute('src')) ?? ''
  const former = await source()
  const buffer = await drawImage('red')
  const part = admin.getByRole('region', { name: 'Icon and logo' })
  await part
    .getByLabel('Icon', { exact: true })
    .setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer })
  await part.getByAltText('Selected picture').waitFor()
  t.equal(await source(), former, 'it is only a preview')
  await part.getByRole('button', { name: 'Use this picture' }).click()
  await member.locator('.side .organization img[src^="/user_avatars/"]').waitFor()
  // The member may have the event before the owner has the reply.
  await part.getByAltText('Selected picture').waitFor({ state: 'detached' })
  await part
    .getByLabel('Logo for dark themes', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await part.getByRole('button', { name: 'Use this picture' }).click()
  await part.getByAltText('Current logo for dark themes').waitFor()
  t.match(await owner.must('POST', '/register'), { realm_logo_source: 'D', realm_night_logo_source: 'U' })
  t.same(await findFaults(admin), [])
  await part.getByRole('button', { name: 'Remove' }).first().click()
  await member.locator(`.side .organization img[src="${former}"]`).waitFor()
})

t.test(
  '[ADMIN15] the source of new pictures is a choice only where the server allows Gravatar',
  async (t) => {
    await admin.goto('/#organization/joining')
    await admin.getByLabel('People can change their pictures').waitFor()
    t.equal(await admin.getByLabel(SOURCE).count(), 0)
    const allowing = await startTestServer(t, { env: { GRAVATAR: 'on' } })
    const openThere = await openTeam({ url: allowing.node.url, databaseUrl: allowing.databaseUrl }, browser)
    const there = await openThere(t, 'administrator')
    await there.goto('/#organization/joining')
    t.equal(await there.getByLabel(SOURCE).inputValue(), 'G')
    await there.getByLabel(SOURCE).selectOption({ label: 'Drawn by this server' })
    await there.locator('.setting', { hasText: SOURCE }).getByText('Saved').waitFor()
    const { realm_default_avatar_source: source } = await allowing.as('owner').must('POST', '/register')
    t.equal(source, 'J')
    await allowing.as('owner').must('PATCH', '/realm', { default_avatar_source: 'G' })
    await there.waitForFunction(() => document.querySelector('option[value=G]:checked') !== null)
  },
)

t.test('[ADMIN3] a permission is given to a role, or to people and groups', async (t) => {
  const { full_name: name, user_id: id } = await server.as('member2').must('GET', '/users/me')
  await admin.goto('/#organization/permissions')
  await admin.getByLabel('Create public channels').selectOption({ label: 'Moderators' })
  await admin.locator('.setting', { hasText: 'Create public channels' }).getByText('Saved').waitFor()
  await admin.getByLabel('Create public channels').selectOption({ label: 'People and groups…' })
  const field = admin.getByLabel('Create public channels: people and groups')
  await field.fill(name)
  await admin.getByRole('button', { name, exact: true }).click()
  await admin.getByRole('button', { name: `Remove ${name}` }).waitFor()
  await admin.locator('.setting', { hasText: 'Create public channels' }).getByText('Saved').waitFor()
  const { realm_can_create_public_channel_group: setting } = await owner.must('POST', '/register')
  const { direct_members, direct_subgroups } = setting as Exclude<typeof setting, number>
  t.same(direct_members, [id])
  t.equal(direct_subgroups.length, 1, 'the moderators still may')
})

t.test(
  '[ADMIN4] a person who is invited by mail joins, appears at once, and gets another role',
  async (t) => {
    await admin.goto('/#organization/invitations')
    await admin.getByLabel('Email addresses').fill('noor@example.com\nmember@example.com')
    await admin.getByRole('button', { name: 'Invite', exact: true }).click()
    await admin.getByRole('alert').getByText('member@example.com').waitFor()
    await admin.getByText('noor@example.com', { exact: true }).waitFor()
    await admin.goto('/#organization/people')
    const context = await browser.newContext({ baseURL: server.node.url })
    t.teardown(() => context.close())
    const page = await context.newPage()
    await page.goto(await mailboxes.link('noor@example.com'))
    await page.getByLabel('Your name').fill('Noor Haddad')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button').click()
    // Its session comes with the reply.
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await admin.getByRole('link', { name: 'Noor Haddad' }).click()
    const logIn = async () => {
      await page.getByLabel('Email address').fill('noor@example.com')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    }
    await context.clearCookies()
    await page.goto('/')
    await logIn()
    await admin.getByLabel('Role').selectOption({ label: 'Administrator' })
    // With a new role people log in again.
    await logIn()
    await page.goto('/#organization/people')
    await page.getByRole('link', { name: 'Noor Haddad' }).waitFor()
    await admin.getByRole('button', { name: 'Deactivate' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await admin.getByRole('button', { name: 'Reactivate' }).waitFor()
    await page.getByLabel('Email address').waitFor()
  },
)

t.test('[ADMIN5] an invitation link is made, listed and revoked', async (t) => {
  await admin.goto('/#organization/invitations')
  await admin.getByRole('button', { name: 'By link' }).click()
  await admin.getByLabel('Join as').selectOption({ label: 'Guest' })
  await admin.getByRole('button', { name: 'Create link' }).click()
  const link = await admin.getByLabel('Anyone with this link can join').inputValue()
  t.equal((await fetch(link)).status, 200)
  const { invites } = await owner.must('GET', '/invites')
  t.match(invites, [{ invited_as: 600, link_url: link }])
  await admin.getByRole('button', { name: 'Revoke: Invitation link' }).click()
  await admin.getByText('No open invitations').waitFor()
  t.equal((await fetch(link)).status, 404)
})

t.test('[ADMIN6] every section fits its window in each look, and axe finds nothing', async (t) => {
  await admin.goto('/#organization')
  const links = admin.getByRole('navigation', { name: 'Administration' }).getByRole('link')
  await links.first().waitFor()
  const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  const { userId } = server.as('member')
  for (const address of ['#organization', ...addresses, `#organization/people/${userId}`]) {
    await showView(admin, address)
    await admin.getByRole('heading', { level: 2 }).first().waitFor({ state: 'attached' })
    t.same(await findFaults(admin), [], address)
  }
})
