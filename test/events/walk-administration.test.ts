/** A random walk over everything that decides who sees and may do what: every client's state and events stay true. */

import t from 'tap'
import { addUser } from '../harness/add-user.ts'
import { expectConsistent } from '../harness/expect-consistent.ts'
import { type Person, startTestServer } from '../harness/start-server.ts'
import { makeRandom, type Random } from './make-random.ts'

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
const CHANNEL_COUNT = 5
const FIRST_GROUP = 9
const STEPS = 30
const CHANGES_PER_STEP = 4

const server = await startTestServer(t)
for (let extra = 0; extra < 3; extra++) await addUser(server, `extra${extra}`)
/** Those whose accounts come and go; nobody looks on as them. */
const EXTRAS = [8, 9, 10]
const USERS = [1, 2, 3, 4, 5, 6, 7, ...EXTRAS]

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

/** One change by somebody; a refusal is a fine outcome as well. */
async function change(random: Random): Promise<boolean> {
  const client = server.as(random.pick(ACTORS))
  const owner = server.as('owner')
  const channel = `/streams/${1 + random.below(CHANNEL_COUNT)}`
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

const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000)

await t.test(
  '[WALK2] state and events stay true whatever is done to channels, groups and roles',
  async (t) => {
    t.comment(`PARLEY_SEED=${seed}`)
    const random = makeRandom(seed)
    const owner = server.as('owner')
    for (let channel = 1; channel <= CHANNEL_COUNT; channel++) {
      await owner.subscribe([`channel ${channel}`], {
        principals: random.some(USERS),
        invite_only: channel % 2 === 0,
      })
    }
    for (const name of ['one', 'two']) {
      await owner.must('POST', '/channel_folders/create', { name, description: '' })
    }
    for (const name of ['group 0', 'group 1']) {
      await owner.must('POST', '/user_groups/create', { name, description: '', members: random.some(USERS) })
    }
    let made = 0
    const wanted = (STEPS * CHANGES_PER_STEP) / 4
    // Some seeds draw much that is refused: they go on until enough was done.
    for (let step = 0; step < STEPS || (made <= wanted && step < STEPS * 4); step++) {
      try {
        await expectConsistent(
          server,
          async () => {
            for (let count = 0; count < CHANGES_PER_STEP; count++) if (await change(random)) made++
          },
          { forgetsFormer: true },
        )
      } catch (error) {
        throw new Error(`step ${step}, PARLEY_SEED=${seed}`, { cause: error })
      }
    }
    t.ok(made > wanted, `${made} changes were made`)
  },
)
