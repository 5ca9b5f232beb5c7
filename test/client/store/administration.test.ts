/** The parts of the administration that the client offers, compared with the answers of a real server. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { findPeople } from '../../../client/store/derived/administered-people.ts'
import {
  administrationOf,
  mayInviteByLink,
  mayInviteByMail,
} from '../../../client/store/derived/administration.ts'
import {
  mayAddToGroup,
  mayCreateGroups,
  mayManageGroup,
  mayRemoveFromGroup,
} from '../../../client/store/derived/group-permissions.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import type { Fields } from '../../harness/client/client.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const stateOf = async (person: Person) =>
  (await server.as(person).register(REGISTRATION as Fields)).state as unknown as State

t.test('[STORE60] the sections of the administration depend on role and permissions', async (t) => {
  const seen = async (person: Person) => administrationOf(await stateOf(person))
  for (const section of ['people', 'joining', 'defaults'] as const) {
    t.ok((await seen('administrator')).includes(section), section)
    t.notOk((await seen('moderator')).includes(section), section)
  }
  t.same(await seen('guest'), [])
  t.same((await seen('owner')).slice(-2), ['audit', 'server'])
  for (const section of ['audit', 'server'] as const)
    t.notOk((await seen('administrator')).includes(section), section)
  t.ok((await seen('member')).includes('invitations'))
  await owner.must('PATCH', '/realm', { can_invite_users_group: JSON.stringify({ new: 4 }) })
  for (const person of ['owner', 'administrator', 'moderator', 'member', 'guest'] as const) {
    const state = await stateOf(person)
    const byMail = await server.as(person).request('POST', '/invites', {
      invitee_emails: `${person}-invites@example.com`,
      stream_ids: [],
    })
    t.equal(byMail.status === 200, mayInviteByMail(state), `${person}, by mail`)
    const byLink = await server.as(person).request('POST', '/invites/multiuse')
    t.equal(byLink.status === 200, mayInviteByLink(state), `${person}, by link`)
  }
})

t.test('[STORE61] people are found by name and address among the active, deactivated or bots', async (t) => {
  await owner.must('DELETE', `/users/${server.as('member2').userId}`)
  const state = await stateOf('owner')
  const ids = (...found: Parameters<typeof findPeople>) => findPeople(...found).map(({ user_id }) => user_id)
  t.same(ids(state, 'active', 'the MEMBER'), [server.as('member').userId])
  t.same(ids(state, 'active', 'moderator@example'), [server.as('moderator').userId])
  t.same(ids(state, 'deactivated', ''), [server.as('member2').userId])
  t.same(ids(state, 'bots', 'bot'), [server.as('bot').userId])
  t.same(ids(state, 'bots', 'owner'), [])
})

t.test(
  '[STORE62] the client knows beforehand who may manage a group and add or remove members',
  async (t) => {
    const { group_id: id } = await owner.must('POST', '/user_groups/create', {
      name: 'crew',
      description: '',
      members: [],
      can_manage_group: JSON.stringify({
        direct_members: [server.as('member').userId],
        direct_subgroups: [],
      }),
      can_add_members_group: 4,
    })
    const { userId: guestId } = server.as('guest')
    for (const person of ['owner', 'administrator', 'moderator', 'member', 'guest'] as const) {
      const state = await stateOf(person)
      const group = state.realm_user_groups?.find((one) => one.id === id)
      if (!group) throw new Error('the group is missing')
      const client = server.as(person)
      const renamed = await client.request('PATCH', `/user_groups/${id}`, { description: `by ${person}` })
      t.equal(renamed.status === 200, mayManageGroup(state, group), `${person} manages`)
      const change = (op: 'add' | 'delete') =>
        client.request('POST', `/user_groups/${id}/members`, { [op]: [guestId] })
      t.equal((await change('add')).status === 200, mayAddToGroup(state, group), `${person} adds`)
      await owner.request('POST', `/user_groups/${id}/members`, { add: [guestId] })
      // The guest may leave, which is no removal.
      if (person !== 'guest')
        t.equal(
          (await change('delete')).status === 200,
          mayRemoveFromGroup(state, group),
          `${person} removes`,
        )
      await owner.request('POST', `/user_groups/${id}/members`, { delete: [guestId] })
      t.equal(mayCreateGroups(state), person !== 'guest', `${person} creates`)
    }
  },
)
