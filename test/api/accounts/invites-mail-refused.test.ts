/** Invitations by mail that are refused: addresses, rights and limits. invites-mail.test.ts has the mails. */

import t from 'tap'
import {
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  MAILED_INVITATIONS_MAX,
} from '../../../server/domain/limits.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { deactivate } from '../../harness/worlds/add-user.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const [owner, administrator] = [server.as('owner'), server.as('administrator')]
const [member, member2, guest] = [server.as('member'), server.as('member2'), server.as('guest')]

const NOBODY = "We weren't able to invite anyone."
const DAILY =
  'Nobody was invited: too many invitations were sent by mail today. Use a link, or try again tomorrow.'
const failure = (errors: unknown[], fields: Fields = {}) => ({
  code: 'INVITATION_FAILED',
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
  ...fields,
})
const daily = failure([], { daily_limit_reached: true })
const invite = (emails: string | undefined, fields: Fields = {}, client: Client = member) =>
  client.post('/invites', { invitee_emails: emails, stream_ids: [], ...fields })
const listed = async (client: Client = owner) => (await client.must('GET', '/invites')).invites
const emailsListed = async () => (await listed()).map(({ email }) => email)
const idOf = async (email: string) => (await listed()).find((one) => one.email === email).id
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.com`)
/** Mails that a user sent at some time today. */
const pretend = (userId: number, count: number) => sql`
  insert into mails (kind, recipient, user_id, due_at)
  select 'invitation', n || '@pretended.example', ${userId}, null from generate_series(1, ${count}) as n`
const forget = async () => {
  await sql`delete from mails`
  await sql`delete from invitations`
}

await t.test('[INVITE12] one invalid address refuses all, with an error for each such address', async (t) => {
  await deactivate(server, server.as('moderator').userId)
  await owner.must('POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false })
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
  const standIn = `user1@${new URL(server.node.url).hostname}`
  const refused = await invite(
    'new@example.com, New Person <newer@example.com>\n,x, guest@example.com,new@example.com,' +
      `moderator@example.com\r\nnew@example.org,a+b@example.com,${standIn}`,
  )
  expectRefusal(
    t,
    refused,
    NOBODY,
    failure([
      ['x', 'Invalid address.', false],
      ['guest@example.com', 'Already has an account.', false],
      ['moderator@example.com', 'Account has been deactivated.', true],
      ['new@example.org', "Email 'new@example.org' not allowed in this organization", false],
      ['a+b@example.com', 'Email addresses containing + are not allowed.', false],
      [standIn, 'Invalid address.', false],
    ]),
  )
  for (const injected of [
    'a@example.com\u2028Bcc: b@example.com',
    'a@example.com\tBcc:b@example.com',
    'a@b c',
  ])
    expectRefusal(t, await invite(injected), NOBODY, failure([[injected, 'Invalid address.', false]]))
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: false })
  expectRefusal(
    t,
    await invite('guest@example.com'),
    NOBODY,
    failure([['guest@example.com', 'Already has an account.', false]]),
  )
  t.same(await listed(), [])
  t.same([...(await sql`select from mails`)], [])
})

await t.test('[INVITE38] addresses with an account do not keep others from an invitation', async (t) => {
  expectRefusal(
    t,
    await invite('GUEST@example.com, other@example.com, Other@example.com'),
    'Some of these addresses were not invited. All others were.',
    failure([['GUEST@example.com', 'Already has an account.', false]], { sent_invitations: true }),
  )
  t.same(await emailsListed(), ['other@example.com'], 'one address gets one invitation, however it is spelt')
  const rows = await sql`select recipient from mails`
  t.same([...rows], [{ recipient: 'other@example.com' }])
  const account = { email: 'other@example.com', password: 'correct horse', full_name: 'Other' }
  await owner.must('POST', '/users', account)
  t.same(await listed(), [], 'an account that was made otherwise needs no invitation')
})

await t.test('[INVITE39] inviting by mail needs a permission, and the rights to what it gives', async (t) => {
  const as = (person: Person, fields: Fields = {}) => invite('new@example.com', fields, server.as(person))
  expectRefusal(t, await invite(' ,\n'), 'You must specify at least one email address.')
  expectRefusal(t, await invite(undefined), "Missing 'invitee_emails' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'invitee_emails',
  })
  const withoutChannels = await member.post('/invites', { invitee_emails: 'new@example.com' })
  expectRefusal(t, withoutChannels, "Missing 'stream_ids' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'stream_ids',
  })
  expectRefusal(t, await invite('x'.repeat(10_001)), 'invitee_emails is too long (limit: 10000 characters)')
  expectRefusal(t, await as('guest'), 'Must be an organization member')
  expectRefusal(t, await as('bot'), 'This endpoint does not accept bot requests.')
  expectRefusal(t, await as('member', { invite_as: 200 }), 'Must be an organization administrator')
  expectRefusal(t, await as('administrator', { invite_as: 100 }), 'Must be an organization owner')
  const unknown = 'Invalid channel ID 99. No invites were sent.'
  expectRefusal(t, await as('member', { stream_ids: [99] }), unknown)
  expectRefusal(t, await as('member', { group_ids: [999] }), 'Invalid user group')
  const made = { name: 'gone', description: '', members: [] }
  const { group_id } = await member.must('POST', '/user_groups/create', made)
  await member.must('POST', `/user_groups/${group_id}/deactivate`)
  expectRefusal(t, await as('member', { group_ids: [group_id] }), 'User group is deactivated.')
  await owner.subscribe(['town'])
  await owner.must('PATCH', '/realm', { can_add_subscribers_group: { new: SYSTEM_GROUPS.administrators } })
  expectRefusal(
    t,
    await as('member', { stream_ids: [channelIdOf(server, 'town')] }),
    'You do not have permission to subscribe other users to channels.',
  )
  await owner.must('PATCH', '/realm', { can_invite_users_group: { new: SYSTEM_GROUPS.administrators } })
  expectRefusal(t, await as('member'), 'Insufficient permission')
  t.equal((await as('administrator', { invite_as: 200 })).status, 200)
  await owner.must('PATCH', '/realm', { can_invite_users_group: { new: SYSTEM_GROUPS.members } })
})

await t.test(
  '[INVITE13] its author and administrators resend an invitation by mail, nobody else',
  async (t) => {
    await forget()
    await invite('again@example.com', { invite_expires_in_minutes: 10 })
    const id = await idOf('again@example.com')
    const [before] = await listed()
    clock.advance(300_000)
    for (const client of [member, administrator]) await client.must('POST', `/invites/${id}/resend`)
    const [after] = await listed()
    t.same(after, { ...before, invited: before.invited + 300, expiry_date: Number(before.expiry_date) + 300 })
    t.equal((await sql`select from mails`).length, 3)
    const missing = 'No such invitation'
    expectRefusal(t, await member2.post(`/invites/${id}/resend`), missing)
    expectRefusal(t, await guest.post(`/invites/${id}/resend`), 'Must be an organization member')
    const refused = 'This endpoint does not accept bot requests.'
    expectRefusal(t, await server.as('bot').post(`/invites/${id}/resend`), refused)
    await owner.must('POST', '/invites/multiuse')
    const link = (await listed()).find(({ is_multiuse }) => is_multiuse)
    expectRefusal(t, await owner.post(`/invites/${link.id}/resend`), missing)
    expectRefusal(t, await owner.post('/invites/999999/resend'), missing)
    await invite('boss@example.com', { invite_as: 100 }, owner)
    const forOwner = await idOf('boss@example.com')
    expectRefusal(t, await administrator.post(`/invites/${forOwner}/resend`), 'Must be an organization owner')
    clock.advance(600_000)
    expectRefusal(t, await member.post(`/invites/${id}/resend`), missing)
    await invite('joined@example.com', { invite_expires_in_minutes: null })
    const joined = await idOf('joined@example.com')
    await member.must('POST', `/invites/${joined}/resend`)
    t.equal((await listed()).find((one) => one.id === joined).expiry_date, null)
    const account = { email: 'joined@example.com', password: 'correct horse', full_name: 'Joined' }
    await owner.must('POST', '/users', account)
    expectRefusal(t, await member.post(`/invites/${joined}/resend`), missing)
  },
)

await t.test('[INVITE15] a user sends 200 invitations in 24 hours, and all users 1,000', async (t) => {
  await forget()
  const all = numbered(INVITATION_MAILS_OF_USER_MAX, 'a').join()
  expectRefusal(t, await invite(`${all},more@example.com`), DAILY, daily)
  t.equal((await invite(all)).status, 200)
  expectRefusal(t, await invite('more@example.com'), DAILY, daily)
  const id = await idOf('a0@example.com')
  expectRefusal(t, await member.post(`/invites/${id}/resend`), DAILY, daily)
  t.notOk((await emailsListed()).includes('more@example.com'), 'nothing is invited without a mail')
  t.equal((await invite('more@example.com', {}, member2)).status, 200)
  await sql`update mails set asked_at = now() - interval '25 hours' where user_id = ${member.userId}`
  t.equal((await invite('next@example.com')).status, 200)
  await pretend(owner.userId, INVITATION_MAILS_MAX - 2)
  expectRefusal(t, await invite('last@example.com'), DAILY, daily)
})

await t.test('[INVITE16] an address gets five invitations of one user in 24 hours', async (t) => {
  await forget()
  for (let count = 0; count < 3; count++) t.equal((await invite('often@example.com')).status, 200)
  const id = await idOf('often@example.com')
  for (let count = 0; count < 2; count++) await member.must('POST', `/invites/${id}/resend`)
  const reason = 'You have sent too many invitations to this address today.'
  expectRefusal(t, await invite('Often@example.com'), NOBODY, failure([['Often@example.com', reason, false]]))
  expectRefusal(t, await member.post(`/invites/${id}/resend`), DAILY, daily)
  t.equal((await invite('often@example.com', {}, member2)).status, 200, 'others are not in its way')
})

await t.test('[INVITE17] a user has at most a thousand valid invitations by mail', async (t) => {
  await forget()
  const ends = Math.floor(clock.nowMs() / 1000) + 60
  await sql`
    insert into invitations (id, email, inviter_id, role, channel_ids, group_ids, has_default_channels, invited_at,
      expires_at)
    select -n, n || '@example.com', ${member.userId}, 400, '{}', '{}', false, 0, ${ends}
    from generate_series(1, ${MAILED_INVITATIONS_MAX - 1}::int) as n`
  expectRefusal(t, await invite('one@example.com,two@example.com'), 'Too many invitations (maximum 1000).')
  t.equal((await invite('one@example.com')).status, 200)
  expectRefusal(t, await invite('two@example.com'), 'Too many invitations (maximum 1000).')
  t.equal((await member.post('/invites/multiuse')).status, 400, 'links have a limit and a right of their own')
  clock.advance(60_000)
  t.equal((await invite('two@example.com')).status, 200)
})

await t.test('[INVITE18] concurrent invitations keep the limit of a day', async (t) => {
  await forget()
  await pretend(member.userId, INVITATION_MAILS_OF_USER_MAX - 3)
  const answers = await Promise.all(numbered(6, 'c').map((email) => invite(email)))
  t.equal(answers.filter(({ status }) => status === 200).length, 3)
  t.equal((await listed()).length, 3)
})
