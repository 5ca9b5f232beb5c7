/** Values about people, channels and notifications that the client derives from the state of a real server. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { browseChannels } from '../../../client/store/derived/browsed-channels.ts'
import { directConversations } from '../../../client/store/derived/direct-conversations.ts'
import { findUsers } from '../../../client/store/derived/find-users.ts'
import {
  choicesOf,
  describeSetting,
  groupName,
  roleGroupId,
} from '../../../client/store/derived/group-choices.ts'
import { commonChannels, membersOf } from '../../../client/store/derived/members.ts'
import { mutedPeople } from '../../../client/store/derived/muted-people.ts'
import { badgeCount } from '../../../client/store/derived/badge-count.ts'
import { noticeOf } from '../../../client/store/derived/notices.ts'
import { peopleIn, profileOf } from '../../../client/store/derived/profile.ts'
import { unreadIdsOf } from '../../../client/store/derived/unread-ids.ts'
import { usersById } from '../../../client/store/derived/users.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { ofChannel, ofDirect, ofTopic, STARRED } from '../../../client/store/narrows/narrow.ts'
import type { User } from '../../../packages/client/src/wire-types.ts'
import type { Fields } from '../../harness/client/client.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

const server = await startTestServer(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
const stateOf = async (person: Person) =>
  (await server.as(person).register(REGISTRATION as Fields)).state as unknown as State
const subscribe = (names: readonly string[], people: readonly Person[], more: Fields = {}) =>
  owner.must('POST', '/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name, description: `About ${name}s` })),
    principals: people.map((person) => server.as(person).userId),
    send_new_subscription_messages: false,
    ...more,
  })
const namesOf = (users: readonly { readonly full_name: string }[]) => users.map(({ full_name }) => full_name)
await subscribe(['beta', 'alpha'], ['owner', 'member'])
await subscribe(['garden'], ['owner', 'member2'])
await subscribe(['old garden'], ['owner', 'member'])
await owner.must('DELETE', '/streams/4')

t.test('[STORE80] messages notify by the settings of the user, the channel and the topic', async (t) => {
  const settings = {
    enable_desktop_notifications: true,
    enable_sounds: false,
    enable_stream_desktop_notifications: false,
    enable_stream_audible_notifications: false,
    enable_followed_topic_desktop_notifications: true,
    enable_followed_topic_audible_notifications: true,
    wildcard_mentions_notify: false,
    enable_followed_topic_wildcard_mentions_notify: false,
  }
  await member.must('PATCH', '/settings', settings)
  await member.must('POST', '/user_topics', { stream_id: 1, topic: 'muted', visibility_policy: 1 })
  await member.must('POST', '/user_topics', { stream_id: 1, topic: 'followed', visibility_policy: 3 })
  await member.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: 2, property: 'desktop_notifications', value: true }],
  })
  await member.must('POST', `/users/me/muted_users/${member2.userId}`)
  const state = await stateOf('member')
  const noticeIn = (
    channelId: number | undefined,
    topic: string,
    flags: string[] = [],
    from = owner.userId,
  ) => {
    const place =
      channelId === undefined
        ? { type: 'private' as const }
        : { type: 'stream' as const, stream_id: channelId }
    const { desktop, sound } = noticeOf(state, { ...place, sender_id: from, subject: topic }, flags)
    return `${desktop ? 'desktop' : ''}${sound ? 'sound' : ''}`
  }
  t.equal(noticeIn(undefined, ''), 'desktop', 'direct messages')
  t.equal(noticeIn(undefined, '', ['read']), '', 'read ones')
  t.equal(noticeIn(undefined, '', [], member.userId), '', 'the own ones')
  t.equal(noticeIn(undefined, '', [], member2.userId), '', 'those of muted people')
  t.equal(noticeIn(1, 'plain'), '')
  t.equal(noticeIn(2, 'plain'), 'desktop', 'a channel with a setting of its own')
  t.equal(noticeIn(1, 'followed'), 'desktopsound')
  t.equal(noticeIn(1, 'muted'), '')
  t.equal(noticeIn(1, 'muted', ['mentioned']), 'desktop')
  t.equal(noticeIn(1, 'plain', ['has_alert_word']), 'desktop')
  t.equal(noticeIn(1, 'plain', ['stream_wildcard_mentioned']), '', 'mentions of all, which are off')
  await member.must('DELETE', `/users/me/muted_users/${member2.userId}`)
})

t.test('[STORE81] the number at the icon counts what the user chose', async (t) => {
  await owner.send('alpha', 'plain', 'text')
  await owner.send('beta', 'followed', 'text')
  await owner.send('alpha', 'plain', `@**The member|${member.userId}**`)
  await owner.sendDirect([member.userId], 'text')
  const counts = []
  for (const desktop_icon_count_display of [1, 2, 3, 4]) {
    await member.must('PATCH', '/settings', { desktop_icon_count_display })
    counts.push(badgeCount(await stateOf('member')))
  }
  t.same(counts, [4, 3, 2, 0], 'all; followed, mentions and direct; without followed; none')
})

t.test('[STORE82] unread messages are found by narrow, and lists have none', async (t) => {
  const state = await stateOf('member')
  const count = (narrow: Parameters<typeof unreadIdsOf>[1]) => unreadIdsOf(state, narrow).length
  const id = state.subscriptions?.find(({ name }) => name === 'alpha')?.stream_id ?? 0
  t.equal(count(ofChannel(id)), 2)
  t.equal(count(ofTopic(id, 'PLAIN')), 2)
  t.equal(count(ofTopic(id, 'other')), 0)
  t.equal(count(ofDirect([owner.userId])), 1)
  t.equal(count(STARRED), 0)
  t.equal(count([]), 0)
  t.equal(count([{ operator: 'channel', operand: id, isNegated: true }]), 0)
})

t.test(
  '[STORE83] a profile has the filled fields in order, and only web addresses become links',
  async (t) => {
    const add = async (name: string, field_type: number, field_data?: unknown) =>
      (
        await owner.must('POST', '/realm/profile_fields', {
          name,
          field_type,
          ...(field_data === undefined ? {} : { field_data: JSON.stringify(field_data) }),
        })
      ).id as number
    const choices = { a: { text: 'Tea', order: '2' }, b: { text: 'Coffee', order: '1' } }
    const ids = {
      drink: await add('Drink', PROFILE_FIELD_TYPES.choice, choices),
      born: await add('Born', PROFILE_FIELD_TYPES.date),
      site: await add('Site', PROFILE_FIELD_TYPES.link),
      mentor: await add('Mentor', PROFILE_FIELD_TYPES.users),
      empty: await add('Empty', PROFILE_FIELD_TYPES.shortText),
    }
    const data = [
      { id: ids.drink, value: 'a' },
      { id: ids.born, value: '1990-02-03' },
      { id: ids.site, value: 'https://example.com/me' },
      { id: ids.mentor, value: [owner.userId] },
    ]
    await member.must('PATCH', '/users/me/profile_data', { data })
    await owner.must('PATCH', '/realm/profile_fields', {
      order: [ids.mentor, ids.site, ids.drink, ids.born, ids.empty],
    })
    const state = await stateOf('owner')
    const user = usersById(state).get(member.userId) as User
    const lines = profileOf(state, user)
    t.same(
      lines.map(({ name }) => name),
      ['Mentor', 'Site', 'Drink', 'Born'],
    )
    t.same(
      lines.slice(0, 3).map(({ text }) => text),
      ['The owner', 'https://example.com/me', 'Tea'],
    )
    t.match(lines[3]?.text, /1990/)
    t.same(
      lines.map(({ href }) => href),
      [undefined, 'https://example.com/me', undefined, undefined],
    )
    const bad = { ...user, profile_data: { [ids.site]: { value: 'javascript:alert(1)' } } }
    t.equal(profileOf(state, bad)[0]?.href, undefined)
    t.same(peopleIn('[4, "x", 5]'), [4, 5])
    t.same(peopleIn('no list'), [])
  },
)

t.test('[STORE84] a permission offers the groups that it allows, roles from all to few', async (t) => {
  await owner.must('POST', '/user_groups/create', {
    name: 'bakers',
    description: '',
    members: [member.userId],
  })
  const state = await stateOf('owner')
  const names = choicesOf(state, 'stream', 'can_send_message_group').map(groupName)
  t.equal(names.at(-1), 'bakers')
  t.ok(names.indexOf('Members') < names.indexOf('Moderators'))
  t.ok(names.indexOf('Moderators') < names.indexOf('Owners'))
  t.notOk(names.includes('Everyone on the internet'))
  t.same(choicesOf(state, 'stream', 'no_such_setting').map(groupName), ['bakers'])
  const [membersId = 0, bakers] = [
    roleGroupId(state, 'role:members'),
    state.realm_user_groups?.find(({ name }) => name === 'bakers'),
  ]
  t.equal(describeSetting(state, membersId), 'Members')
  const some = { direct_members: [owner.userId], direct_subgroups: [bakers?.id ?? 0] }
  t.equal(describeSetting(state, some), 'bakers, The owner')
  t.equal(describeSetting(state, { direct_members: [], direct_subgroups: [] }), 'Nobody')
})

t.test(
  '[STORE85] a channel lists its active members by name, and a profile the channels in common',
  async (t) => {
    const state = await stateOf('owner')
    const id = (name: string) => state.subscriptions?.find((one) => one.name === name)?.stream_id ?? 0
    t.same(namesOf(membersOf(state, id('alpha'))), ['The member', 'The owner'])
    t.same(membersOf(state, 999), [])
    t.same(
      commonChannels(state, member.userId).map(({ name }) => name),
      ['alpha', 'beta'],
      'without archived ones',
    )
  },
)

t.test(
  '[STORE86] people are found by the starts of the words of their names, and by their address',
  async (t) => {
    const state = await stateOf('owner')
    t.same(namesOf(findUsers(state, 'mem', 9)), ['The member', 'The member2'])
    t.same(namesOf(findUsers(state, 'the mem', 1)), ['The member'])
    t.same(findUsers(state, 'ember', 9), [])
    const address = usersById(state).get(member2.userId)?.delivery_email ?? ''
    t.same(namesOf(findUsers(state, address, 9)), ['The member2'])
  },
)

t.test('[STORE87] channels are browsed by kind and by words, names before descriptions', async (t) => {
  const state = await stateOf('member')
  const find = (kind: 'all' | 'own' | 'archived', text: string) =>
    browseChannels(state, { kind, text }).map(({ channel }) => channel.name)
  t.same(find('all', ''), ['alpha', 'beta', 'garden'])
  t.same(find('own', ''), ['alpha', 'beta'])
  t.same(find('archived', 'GARDEN'), ['old garden'])
  t.same(find('all', 'about alpha'), ['alpha'])
  t.same(find('all', 'nothing'), [])
})

t.test('[STORE88] a conversation with one muted person is not listed, one with others is', async (t) => {
  await member2.sendDirect([member.userId], 'text')
  await member2.sendDirect([member.userId, owner.userId], 'text')
  await member.must('POST', `/users/me/muted_users/${member2.userId}`)
  const state = await stateOf('member')
  t.same([...mutedPeople(state)], [member2.userId])
  t.same(
    directConversations(state).map(({ otherIds }) => otherIds),
    [[owner.userId, member2.userId].sort((a, b) => a - b), [owner.userId]],
  )
})
