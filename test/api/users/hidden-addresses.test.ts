/** An account whose address is hidden looks like none, to people who want its address or invite it. */

import t from 'tap'
import { findAddressChange } from '../../../db/accounts/address-changes.ts'
import { findMailedInvitation } from '../../../db/mail/mailed-invitations.ts'
import type { InvitationId, UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t, { clock: new ManualClock() })
const { sql } = server.node.services
const owner = server.as('owner')

const gone = await addUser(server, 'gone')
for (const client of [server.as('member'), gone])
  await client.must('PATCH', '/settings', { email_address_visibility: 4 })
await deactivate(server, gone.userId)
await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: SYSTEM_GROUPS.members } })
const unseen = await addUser(server, 'unseen')

/** Each with an address of an account, a caller who may not see it, and one who may. */
const CASES: readonly (readonly [kind: string, address: string, blind: Client, seer: Client | undefined])[] =
  [
    ['a hidden address', emailOf('member'), server.as('member2'), undefined],
    ['one in capitals', 'MEMBER@example.com', owner, undefined],
    ['that of a deactivated account', gone.email, server.as('moderator'), undefined],
    ['that of a user whom a guest cannot see', unseen.email, server.as('guest'), server.as('member2')],
  ]
const ABSENT = 'absent@example.com'

/** The answer of a request for an address, its events, and the rows that it writes. */
async function ask(caller: Client, email: string, request: () => Promise<{ status: number; body: unknown }>) {
  await sql`delete from mails`
  await sql`delete from invitations`
  await sql`delete from address_changes`
  const queue = await caller.register()
  const { status, body } = await request()
  const events = withoutIds(await caller.events(queue))
  const mails = await sql`
    select kind, lower(recipient) as recipient, due_at is null as done, invitation_id is null as "isOther", user_id from mails`
  const text = JSON.stringify({ status, body, events, mails: [...mails] })
  return text.replaceAll(email, 'ADDRESS').replaceAll(email.toLowerCase(), 'ADDRESS')
}

for (const [kind, address, caller, seer] of CASES) {
  await t.test(`[HIDDEN1] a new address is asked for alike, ${kind} or a free one`, async (t) => {
    const change = (email: string, by = caller) => by.patch('/settings', { email })
    const free = await ask(caller, ABSENT, () => change(ABSENT))
    t.match(free, '"kind":"address_change"')
    t.equal(typeof (await findAddressChange(sql, caller.userId as UserId, ABSENT)), 'object')
    t.equal(await ask(caller, address, () => change(address)), free)
    t.equal(await findAddressChange(sql, caller.userId as UserId, address), undefined, 'no mail is sent')
    if (seer) expectRefusal(t, await change(address, seer), `Email '${address}' already in use`)
  })
}

const inviters = CASES.filter(([, , caller]) => caller !== server.as('guest') && caller.userId !== 6)
for (const [kind, address, caller] of inviters) {
  await t.test(`[HIDDEN2] an invitation is sent and listed alike, to ${kind} or to a free one`, async (t) => {
    const invite = (emails: string) => caller.post('/invites', { invitee_emails: emails, stream_ids: [] })
    const look = async () => {
      const { invites } = await caller.must('GET', '/invites')
      const [{ id, email }] = invites
      const again = await caller.post(`/invites/${id}/resend`)
      return { id, email, count: invites.length, status: again.status }
    }
    const free = await ask(caller, ABSENT, () => invite(ABSENT))
    const listed = await look()
    t.match(listed, { email: ABSENT, count: 1, status: 200 })
    t.equal(typeof (await findMailedInvitation(sql, listed.id as InvitationId, 0)), 'object')
    t.equal(await ask(caller, address, () => invite(address)), free)
    const { id, ...shown } = await look()
    t.same(shown, { email: address, count: 1, status: 200 })
    t.equal(await findMailedInvitation(sql, id as InvitationId, 0), undefined, 'no mail is sent')
  })
}

await t.test('[HIDDEN3] an inviter who sees the address learns that it has an account', async (t) => {
  await server.as('member').must('PATCH', '/settings', { email_address_visibility: 3 })
  const invite = (by: Client) => by.post('/invites', { invitee_emails: emailOf('member'), stream_ids: [] })
  t.match((await invite(owner)).body, { errors: [[emailOf('member'), 'Already has an account.', false]] })
  t.equal((await invite(server.as('member2'))).status, 200)
})
