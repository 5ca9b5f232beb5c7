/** The recipients of facts on users, including facts that are committed together. */

import t from 'tap'
import { notify } from '../../server/events/notify.ts'
import { PLAIN_BOT_SETUP } from '../../server/domain/users/bots.ts'
import { EMAIL_VISIBILITIES } from '../../server/domain/users/email-addresses.ts'
import type { User } from '../../server/domain/entities.ts'
import type { Fact } from '../../server/domain/events.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { ROLES } from '../../packages/rules/roles.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import { overlay } from '../../server/events/apply-event.ts'
import { ACCOUNTS, type Person, startTestServer } from '../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['open'])
const { state } = server.node.services
const idOf = (person: Person) => (ACCOUNTS.get(person) as { readonly id: UserId }).id
const ADMINISTRATORS = [idOf('owner'), idOf('administrator')]
const NEW_ID = state.nextUserId

/** The entries of some facts, each with its recipients. */
function recipientsOf(...facts: Fact[]): [type: string, userIds: readonly number[]][] {
  return recipientsIn(state, facts)
}

function recipientsIn(before: typeof state, facts: Fact[]): [type: string, userIds: readonly number[]][] {
  return notify(before, facts).entries.map(({ event, audience }) => [
    event.type,
    audience.kind === 'users' ? audience.users.toArray() : [],
  ])
}

function makeUser(bot: Partial<User> = {}): Fact {
  const named = { email: 'new@example.com', fullName: 'New' }
  const user = { ...state.getUser(idOf('member')), ...named, ...bot, id: NEW_ID }
  return { type: 'realm_user/add', user }
}

t.test('[RECIPIENT1] a new user gets no notices of objects that become visible to them', (t) => {
  const groupId = SYSTEM_GROUPS.members
  const joining: Fact = { type: 'user_group/add_members', groupId, userIds: [NEW_ID] }
  const everyone = state.rights.activeUsers.toArray()
  t.same(recipientsOf(makeUser(), joining), [
    ['realm_user/add', everyone],
    ['user_group/add_members', everyone],
  ])
  t.end()
})

t.test('[RECIPIENT2] a new bot is shown to its owner and administrators, after its setup', (t) => {
  const bot = makeUser({ botType: 1, botOwnerId: idOf('member2') })
  const setup: Fact = { type: 'bot_setup_changed', botId: NEW_ID, setup: PLAIN_BOT_SETUP }
  const managers = [...ADMINISTRATORS, idOf('member2')]
  t.same(recipientsOf(bot, setup).slice(1), [
    ['bot_setup_changed', []],
    ['realm_bot/add', managers],
  ])
  t.end()
})

t.test('[RECIPIENT3] a new address is shown to users who may see it after the whole change', (t) => {
  const userId = idOf('member')
  const hiding = { name: 'emailAddressVisibility', value: EMAIL_VISIBILITIES.administrators } as const
  const entries = recipientsOf(
    { type: 'user_settings/update', userId, change: hiding },
    { type: 'realm_user/update', userId, changes: { email: 'new@example.com' } },
  )
  t.same(entries.slice(-2), [
    ['realm_user/update', []],
    ['realm_user/delivery_email', [...ADMINISTRATORS, userId]],
  ])
  t.end()
})

t.test('[RECIPIENT4] users who are deactivated together get no notices of each other', (t) => {
  const ids = [idOf('member'), idOf('bot')]
  const entries = recipientsOf(
    ...ids.map((userId): Fact => ({ type: 'realm_user/update', userId, changes: { isActive: false } })),
  )
  const types = new Set(entries.map(([type]) => type))
  t.same([...types], ['realm_user/update', 'realm_bot/update', 'user_group/hide_members'])
  t.notOk(entries.some(([, userIds]) => userIds.some((id) => ids.includes(id as UserId))))
  t.same(entries.find(([type]) => type === 'realm_bot/update')?.[1], ADMINISTRATORS)
  t.end()
})

t.test('[RECIPIENT5] a user who becomes a guest loses sight of objects, and nobody else does', (t) => {
  const userId = idOf('administrator')
  const entries = recipientsOf(
    { type: 'realm_user/update', userId, changes: { role: ROLES.guest } },
    { type: 'user_group/remove_members', groupId: SYSTEM_GROUPS.administrators, userIds: [userId] },
    { type: 'user_group/add_members', groupId: SYSTEM_GROUPS.everyone, userIds: [userId] },
  )
  t.same(entries.slice(3), [
    ['stream/delete', [userId]],
    ['default_streams/shown', [userId]],
    ['realm_bot/delete', [userId]],
  ])
  t.end()
})

t.test("[RECIPIENT6] the server's own bot is shown to nobody as a bot to manage", (t) => {
  const bot = makeUser({ botType: 1, botOwnerId: null, isSystem: true })
  t.same(recipientsOf(bot), [['realm_user/add', state.rights.activeUsers.toArray()]])
  const userId = idOf('member2')
  const entries = recipientsIn(overlay(state, [bot]), [
    { type: 'realm_user/update', userId, changes: { role: ROLES.administrator } },
  ])
  const shown = entries.filter(([type]) => type === 'realm_bot/add')
  t.same(shown, [['realm_bot/add', [userId]]], 'only the bot of another user')
  t.end()
})

t.test('[RECIPIENT7] the mark of an agent says how many entries before it the first fact is', (t) => {
  const bot = makeUser({ botType: 1, botOwnerId: idOf('member2') })
  const setup: Fact = { type: 'bot_setup_changed', botId: NEW_ID, setup: PLAIN_BOT_SETUP }
  const described = { wrote: 'draft', channelId: null, messageId: null } as const
  const mark: Fact = { type: 'agent_wrote', userId: idOf('member'), keyId: null, program: 'p', ...described }
  for (const [facts, count] of [
    [[setup], 1],
    [[bot, setup], 2],
  ] as const) {
    const { entries } = notify(state, [...facts, mark])
    t.match(entries[count], { event: { ...mark, entriesBack: count } })
  }
  t.end()
})
