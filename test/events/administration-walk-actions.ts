/** One random change of roles, permissions or channels, for the administration walk. */

import type { Client } from '../harness/client/client.ts'
import type { Person } from '../harness/servers/start-server.ts'
import type { Random } from './make-random.ts'

const ACTORS: readonly Person[] = [
  'owner',
  'owner',
  'administrator',
  'moderator',
  'member',
  'member2',
  'guest',
]
const CHANNEL_PERMISSIONS = [
  'can_administer_channel',
  'can_add_subscribers',
  'can_subscribe',
  'can_send_message',
]
const GROUP_PERMISSIONS = ['can_manage', 'can_join', 'can_add_members', 'can_mention']
const REALM_PERMISSIONS = [
  'can_create_private_channel_group',
  'can_add_subscribers_group',
  'can_create_groups',
  'can_manage_all_groups',
]
/** Channels that exist from the start. */
export const CHANNEL_COUNT = 5
const FIRST_GROUP = 9
/** Users whose accounts come and go; no viewer is one of them. */
const EXTRAS = [8, 9, 10]
export const USERS = [1, 2, 3, 4, 5, 6, 7, ...EXTRAS]

function settingOf(random: Random): unknown {
  return random.pick<() => unknown>([
    () => 1 + random.below(8),
    () => FIRST_GROUP + random.below(4),
    () => ({ direct_members: random.some(USERS), direct_subgroups: [] }),
    () => ({
      direct_members: [],
      direct_subgroups: random.some([1, 2, 3, 4, 5, FIRST_GROUP, FIRST_GROUP + 1]),
    }),
  ])()
}

/** One change by a random user; a refusal is fine, too. Returns whether it was made. */
export async function changeAdministration(random: Random, as: (person: Person) => Client): Promise<boolean> {
  const client = as(random.pick(ACTORS))
  const owner = as('owner')
  const channel = `/streams/${1 + random.below(CHANNEL_COUNT + 1)}`
  const group = FIRST_GROUP + random.below(4)
  const names = random.some(Array.from({ length: CHANNEL_COUNT }, (_, index) => `channel ${index + 1}`))
  const truth = () => random.below(2) === 0
  const update = () => ({ new: settingOf(random) })
  const answer = await random.pick([
    () =>
      client.patch(channel, {
        is_private: truth(),
        ...(truth() ? { history_public_to_subscribers: truth() } : {}),
        ...(random.below(4) === 0 ? { is_web_public: truth() } : {}),
      }),
    () => client.patch(channel, { [`${random.pick(CHANNEL_PERMISSIONS)}_group`]: update() }),
    () => owner.patch(channel, { [`${random.pick(CHANNEL_PERMISSIONS)}_group`]: update() }),
    () => client.patch(channel, { description: `text ${random.below(3)}`, is_default_stream: truth() }),
    () => owner.patch(channel, { is_archived: false, folder_id: random.pick([null, 1, 2]) }),
    () => (random.below(3) === 0 ? client.delete(channel, {}) : owner.patch(channel, { is_archived: false })),
    () =>
      client.post('/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
        ...(truth() ? { principals: random.some(USERS) } : {}),
        authorization_errors_fatal: false,
        send_new_subscription_messages: false,
      }),
    () => client.delete('/users/me/subscriptions', { subscriptions: names }),
    () =>
      client.patch('/users/me/subscriptions', {
        add: names.slice(0, 2).map((name) => ({ name })),
        delete: random.some(names),
      }),
    () =>
      client.post('/channels/create', {
        name: `made ${random.below(3)}`,
        subscribers: random.some(USERS),
        is_private: truth(),
      }),
    () => owner.post('/default_streams', { stream_id: 1 + random.below(CHANNEL_COUNT) }),
    () => owner.delete('/default_streams', { stream_id: 1 + random.below(CHANNEL_COUNT) }),
    () =>
      owner.post('/default_stream_groups/create', {
        group_name: `group ${random.below(3)}`,
        description: '',
        stream_names: random.some(names),
      }),
    () =>
      owner.patch(`/default_stream_groups/${1 + random.below(3)}/streams`, {
        op: random.pick(['add', 'remove']),
        stream_names: names.slice(0, 1),
      }),
    () => owner.delete(`/default_stream_groups/${1 + random.below(3)}`),
    () => owner.delete('/users/me/subscriptions', { subscriptions: names, principals: random.some(USERS) }),
    () =>
      client.post('/user_groups/create', {
        name: `group ${random.below(4)}`,
        description: '',
        members: random.some(USERS),
        subgroups: random.some([1, 4]),
      }),
    () => owner.patch(`/user_groups/${group}`, { [`${random.pick(GROUP_PERMISSIONS)}_group`]: update() }),
    () => owner.post(`/user_groups/${group}/members`, { add: [random.pick(USERS)] }),
    () => owner.post(`/user_groups/${group}/members`, { delete: [random.pick(USERS)] }),
    () => client.post(`/user_groups/${group}/members`, { add: [client.userId] }),
    () => owner.post(`/user_groups/${group}/subgroups`, { add: [FIRST_GROUP + random.below(4)] }),
    () => owner.post(`/user_groups/${group}/subgroups`, { delete: [FIRST_GROUP + random.below(4)] }),
    () => owner.post(`/user_groups/${group}/deactivate`, {}),
    () => owner.patch(`/user_groups/${group}`, { deactivated: false }),
    () => owner.patch(`/users/${2 + random.below(9)}`, { role: random.pick([200, 300, 400, 600]) }),
    () => client.patch(`/users/${1 + random.below(7)}`, { role: random.pick([100, 400, 600]) }),
    () => owner.delete(`/users/${random.pick(EXTRAS)}`, {}),
    () => owner.post(`/users/${random.pick(EXTRAS)}/reactivate`, {}),
    () => owner.patch('/realm', { [random.pick(REALM_PERMISSIONS)]: update() }),
    () => owner.patch('/realm', { waiting_period_threshold: random.pick([0, 10_000]) }),
    () => owner.patch('/realm', { enable_spectator_access: truth() }),
    () =>
      client.post('/users/me/subscriptions/properties', {
        subscription_data: [
          { stream_id: 1 + random.below(CHANNEL_COUNT), property: 'is_muted', value: truth() },
        ],
      }),
  ])()
  if (answer.status >= 500) throw new Error(JSON.stringify(answer.body))
  return answer.status === 200
}
