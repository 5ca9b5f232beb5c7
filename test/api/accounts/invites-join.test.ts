/** Joining by the link of an invitation. */

import t from 'tap'
import { findConfirmed, join } from '../../../server/changes/invitations/join-by-invitation.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { Client, type Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { confirmAddress, joinByLink, type Newcomer } from '../../harness/mail/join-by-link.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { openPage, submitForm } from '../../harness/browser/visit-page.ts'

const clock = new ManualClock()
const mailServer = await startMailServer(t)
const server = await startTestServer(t, { clock, env: mailServer.env })
await startMailWorkers(t, server)
const mailboxes = openMailboxes(mailServer, server)
const { node } = server
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const PASSWORD = 'correct horse'

const invite = async (fields: Fields = {}, client = owner): Promise<string> =>
  (await client.must('POST', '/invites/multiuse', fields)).invite_link
/** Joins with the address of a mail that confirmed it. */
const arrive = (link: string, given: Newcomer) => joinByLink(mailboxes, link, given)
const newcomer = (name: string) => ({
  full_name: `New ${name}`,
  email: `${name}@example.com`,
  password: PASSWORD,
})
/** The client of a user who has joined. */
async function logIn(name: string, password = PASSWORD): Promise<Client> {
  const email = `${name}@example.com`
  const answer = await server.anyone.must('POST', '/fetch_api_key', { username: email, password })
  return new Client(node.url, answer.user_id, email, answer.api_key)
}
const received = async (client: Client) =>
  (await client.must('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })).messages
const namesOf = async (client: Client): Promise<string[]> =>
  (await client.must('GET', '/users/me/subscriptions')).subscriptions
    .map(({ name }: { name: string }) => name)
    .sort()
const GONE = 'This invitation is not valid any more.'

await t.test(
  '[INVITE20] the link asks for an address, and the mail to it leads to an account that can log in',
  async (t) => {
    const link = await invite()
    const shown = await openPage(link)
    t.equal(shown.status, 200)
    t.match(shown.text, '<h1>Join Test Organization</h1>')
    t.match(shown.text, '<form method="post">')
    t.notMatch(shown.text, /<script/)
    t.match(shown.headers.get('content-security-policy'), "form-action 'self'")
    t.equal(shown.headers.get('cache-control'), 'no-store')
    t.equal(shown.headers.get('referrer-policy'), 'strict-origin')
    t.equal(
      (await fetch(`${node.url}/static/page.css`)).headers.get('content-type'),
      'text/css; charset=utf-8',
    )
    const joined = await arrive(link, { ...newcomer('first'), email: ' First@example.com ' })
    t.same([joined.status, joined.headers.get('location')], [303, '/'])
    const first = await logIn('first')
    t.match(await first.must('GET', '/users/me'), { full_name: 'New first', role: 400, is_admin: false })
    t.same(await namesOf(first), [])
    t.same(await received(first), [])
    const log = await node.services
      .sql`select event::text from event_log where event->>'type' = 'invites_changed'`
    t.equal(log.length, 1)
    t.notOk(JSON.stringify(log).includes(link.slice(-33, -1)), 'the log does not contain the key')
    // Others can use it, too, also without the slash at its end.
    t.equal((await arrive(link.slice(0, -1), newcomer('second'))).status, 303)
  },
)

await t.test(
  '[INVITE21] a new user gets the role, channels and groups of the invitation, and a welcome message',
  async (t) => {
    await owner.subscribe(['default', 'gone', 'other'])
    await owner.subscribe(['secret'], { invite_only: true })
    const id = (name: string) => channelIdOf(server, name)
    await owner.must('POST', '/default_streams', { stream_id: id('default') })
    const group = async (name: string) =>
      (await owner.must('POST', '/user_groups/create', { name, description: '', members: [] })).group_id
    const [kept, gone] = [await group('kept'), await group('gone')]
    const link = await invite({
      invite_as: 600,
      stream_ids: [id('secret'), id('gone')],
      group_ids: [kept, gone],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'Welcome **here**',
    })
    await owner.must('DELETE', `/streams/${id('gone')}`)
    await owner.must('POST', `/user_groups/${gone}/deactivate`)
    await owner.sendDirect([member.userId], 'Welcome.')
    await member.register({ event_types: [] })
    const events = await expectConsistent(server, async () => {
      t.equal((await arrive(link, newcomer('third'))).status, 303)
    })
    const third = await logIn('third')
    t.match(await third.must('GET', '/users/me'), { role: 600, is_guest: true })
    t.same(await namesOf(third), ['default', 'secret'])
    const groupIds: number[] = (await owner.must('GET', `/user_groups/${kept}/members`)).members
    t.same(groupIds, [third.userId])
    t.same((await owner.must('GET', `/user_groups/${gone}/members`)).members, [], 'deactivated meanwhile')
    t.match(await received(third), [
      { sender_full_name: 'Notification Bot', content: '<p>Welcome <strong>here</strong></p>' },
    ])
    t.match(events.owner?.[0], {
      type: 'realm_user',
      op: 'add',
      person: { user_id: third.userId, role: 600 },
    })
    const peers = (person: string) =>
      new Set(
        events[person]
          ?.filter(({ op }) => op === 'peer_add')
          .flatMap((event) => event.stream_ids as number[]),
      )
    t.same(peers('owner'), new Set([id('default'), id('secret')]))
    t.same(peers('member'), new Set([id('default')]))
    t.same(peers('guest'), new Set())
  },
)

await t.test(
  '[INVITE22] without a text in the invitation the welcome message is that of the organization',
  async (t) => {
    await owner.must('PATCH', '/realm', { welcome_message_custom_text: 'Hello all' })
    await arrive(await invite(), newcomer('greeted'))
    t.match(await received(await logIn('greeted')), [{ content: '<p>Hello all</p>' }])
    await arrive(await invite({ welcome_message_custom_text: '' }), newcomer('silent'))
    t.same(await received(await logIn('silent')), [])
  },
)

await t.test(
  '[INVITE23] an invalid account is refused by the general rules, and the form keeps its values',
  async (t) => {
    const link = await invite()
    const refusing = async (page: string, fields: Record<string, string>, field: string, message: string) => {
      const { status, text } = await submitForm(page, fields)
      t.equal(status, 400, message)
      // The one field of a form has its problem beside it alone.
      const isAlone = page === link
      const above = `<p class="problem" role="alert"><a href="#${field}">${message}</a></p>`
      t.equal(text.includes(above), !isAlone, message)
      const role = isAlone ? ' role="alert"' : ''
      t.match(text, `<p class="wrong" id="${field}-problem"${role}>${message}</p>`, 'beside the field')
      t.notMatch(text, PASSWORD)
      return text
    }
    const refusesAddress = (email: string, message: string) => refusing(link, { email }, 'email', message)
    t.match(await refusesAddress('"><b>', 'Enter a valid email address.'), 'value="&quot;&gt;&lt;b&gt;"')
    await refusesAddress(`user1@${new URL(node.url).hostname}`, 'Enter a valid email address.')
    await refusesAddress(`${'x'.repeat(255)}@y.z`, 'Email address is too long (limit: 254 characters)')
    await owner.must('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
    // Of an account or not: the answer is the same.
    for (const email of ['refused@example.com', 'guest@example.com'])
      await refusesAddress(email, 'This organization does not allow email addresses of this kind.')
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: false })
    const confirmed = await confirmAddress(mailboxes, link, 'refused@example.com')
    const refuses = (fields: Record<string, string>, field: string, message: string) =>
      refusing(confirmed, { ...newcomer('refused'), ...fields }, field, message)
    const wrong = { password: 'short', full_name: '"><b>' }
    const text = await refuses(wrong, 'full_name', 'This name contains characters that names must not have.')
    t.match(text, 'value="&quot;&gt;&lt;b&gt;"')
    t.match(text, 'value="refused@example.com"')
    const weak = 'Use at least 8 characters.'
    await refuses({ password: '1234567' }, 'password', weak)
    await refuses({ full_name: 'x'.repeat(101) }, 'full_name', 'This name is too long.')
    await owner.must('PATCH', '/realm', { require_unique_names: true })
    await refuses(
      { full_name: 'the OWNER' },
      'full_name',
      'Someone here already has this name. Choose another one.',
    )
    await owner.must('PATCH', '/realm', { require_unique_names: false })
    const missing = await submitForm(confirmed, { password: PASSWORD })
    t.equal(missing.status, 400)
    t.match(missing.text, '<a href="#full_name">Your name is missing.</a>')
    t.equal(node.services.state.findUserByEmail('refused@example.com'), undefined)
    // Only now does somebody else make the account.
    const account = { email: 'refused@example.com', password: PASSWORD, full_name: 'Other' }
    await owner.must('POST', '/users', account)
    await refuses({}, 'email', 'This email address already has an account.')
  },
)

await t.test(
  '[INVITE24] an expired, revoked or unknown link, or one without an active inviter, leads nowhere',
  async (t) => {
    const gone = async (link: string, name: string) => {
      for (const shown of [await openPage(link), await submitForm(link, newcomer(name))]) {
        t.equal(shown.status, 404, name)
        t.match(shown.text, GONE)
      }
      t.equal(node.services.state.findUserByEmail(`${name}@example.com`), undefined)
    }
    const over = await invite({ invite_expires_in_minutes: 1 })
    clock.advance(60_000)
    await gone(over, 'over')
    const revoked = await invite()
    const { invites } = await owner.must('GET', '/invites')
    await owner.must('DELETE', `/invites/multiuse/${invites.at(-1).id}`)
    await gone(revoked, 'revoked')
    await gone(`${node.url}/join/${'a'.repeat(32)}/`, 'unknown')
    await gone(`${node.url}/join/x/`, 'short')
    const administrator = server.as('administrator')
    const lifted = await invite({ invite_as: 200 }, administrator)
    await owner.must('PATCH', `/users/${administrator.userId}`, { role: 400 })
    await gone(lifted, 'lifted')
    t.equal((await fetch(`${node.url}/join/`)).status, 404)
    t.equal((await fetch(over, { method: 'PUT' })).status, 405)
  },
)

await t.test('[INVITE25] a join fails if the invitation is revoked or expires meanwhile', async (t) => {
  const comeLate = async (link: string, end: (id: number) => unknown) => {
    const confirmed = await confirmAddress(mailboxes, link, 'late@example.com')
    const token = confirmed.slice(-33, -1)
    const found = await findConfirmed(node.services, token)
    if (!found) throw new Error('the confirmed address is not found')
    await end(found.invitation.id)
    const proof = { kind: 'joining', email: found.email, tokenHash: hashApiKey(token) } as const
    const account = { fullName: 'Late', password: PASSWORD }
    t.equal(await join(node.services, found.invitation, account, proof), undefined)
    t.equal(node.services.state.findUserByEmail(found.email), undefined)
  }
  await comeLate(await invite(), (id) => owner.must('DELETE', `/invites/multiuse/${id}`))
  await comeLate(await invite({ invite_expires_in_minutes: 1 }), () => clock.advance(60_000))
  const { inviter, link } = await inviteByMember('lowered meanwhile')
  await comeLate(link, () => becomeGuest(inviter))
})

/** An invitation of a new member. */
async function inviteByMember(name: string) {
  const inviter = await addUser(server, name, { email: `${name.replaceAll(' ', '.')}@example.com` })
  await owner.must('PATCH', '/realm', { create_multiuse_invite_group: { new: SYSTEM_GROUPS.members } })
  return { inviter, link: await invite({}, inviter) }
}
function becomeGuest({ userId }: Client) {
  return owner.must('PATCH', `/users/${userId}`, { role: 600 })
}

await t.test('[INVITE71] nobody joins by the invitation of a member who became a guest', async (t) => {
  const { inviter, link } = await inviteByMember('lowered inviter')
  const listed = async () => {
    const { invites } = await owner.must('GET', '/invites')
    return invites.some((one: { invited_by_user_id: number }) => one.invited_by_user_id === inviter.userId)
  }
  const confirmed = await confirmAddress(mailboxes, link, 'of.a.guest@example.com')
  t.ok(await listed())
  await becomeGuest(inviter)
  t.notOk(await listed())
  for (const url of [link, confirmed]) t.equal((await fetch(url)).status, 404, url)
  await owner.must('PATCH', `/users/${inviter.userId}`, { role: 400 })
  t.ok(await listed(), 'a member again')
  t.equal((await fetch(link)).status, 200)
})

await t.test(
  '[INVITE61] a new user does not get channels or groups that the inviter no longer may give',
  async (t) => {
    await owner.must('PATCH', '/realm', { create_multiuse_invite_group: { new: SYSTEM_GROUPS.members } })
    await owner.subscribe(['left', 'shared'], {
      principals: [owner.userId, member.userId],
      invite_only: true,
    })
    const group = {
      name: 'left crew',
      description: '',
      members: [],
      can_add_members_group: SYSTEM_GROUPS.members,
    }
    const { group_id } = await owner.must('POST', '/user_groups/create', group)
    const ids = ['left', 'shared'].map((name) => channelIdOf(server, name))
    const link = await invite({ stream_ids: ids, group_ids: [group_id] }, member)
    await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    await owner.must('PATCH', `/user_groups/${group_id}`, {
      can_add_members_group: { new: SYSTEM_GROUPS.administrators },
    })
    t.equal((await arrive(link, newcomer('backdoor'))).status, 303)
    t.same(await namesOf(await logIn('backdoor')), ['shared'])
    t.same((await owner.must('GET', `/user_groups/${group_id}/members`)).members, [])
  },
)

await t.test('[LEAK60] paths with the key of an invitation are not logged', (t) => {
  for (const rest of ['', '/', '/more', '%2F', '.', '//'])
    t.notMatch(loggedPath(`/join/${'k'.repeat(32)}${rest}`), 'k'.repeat(8))
  t.equal(loggedPath('/api/v1/users'), '/api/v1/users')
  t.end()
})

await t.test('[INVITE26] accounts and views of the form are limited per address and minute', async (t) => {
  const limited = await startTestServer(t, {
    clock,
    env: { RATE_LIMIT_LOGINS_PER_MINUTE: '1', RATE_LIMIT_ADDRESS_PER_MINUTE: '2' },
  })
  const link = `${limited.node.url}/join/${'a'.repeat(32)}/`
  t.same([(await openPage(link)).status, (await openPage(link)).status], [404, 404])
  const refused = await openPage(link)
  t.equal(refused.status, 429)
  t.match(refused.text, 'Wait a minute, then try again.')
  t.equal((await submitForm(link, newcomer('one'))).status, 404)
  t.equal((await submitForm(link, newcomer('two'))).status, 429)
})

await t.test(
  '[INVITE27] guests of an organization with hidden users see only those they share channels with',
  async (t) => {
    await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: SYSTEM_GROUPS.members } })
    await guest
      .subscribe(['default'])
      .catch(() => owner.subscribe(['default'], { principals: [guest.userId] }))
    const link = await invite({ invite_as: 600, include_realm_default_subscriptions: true })
    const events = await expectConsistent(server, async () => {
      t.equal((await arrive(link, newcomer('meets'))).status, 303)
    })
    const id = node.services.state.findUserByEmail('meets@example.com')?.id
    t.ok(
      events.guest?.some(
        ({ type, op, person }) => type === 'realm_user' && op === 'add' && person.user_id === id,
      ),
    )
  },
)
