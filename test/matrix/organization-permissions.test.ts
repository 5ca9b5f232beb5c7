/** Each permission of the organization, held by nobody up to everyone: the users it admits and refuses. */

import t from 'tap'
import { addUser } from '../harness/worlds/add-user.ts'
import type { Answer, Client } from '../harness/client/client.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'
import { commit, settingOf } from './build-channels.ts'
import { type Actor, ACTORS, type Holder, holds } from './channel-rules.ts'
import { startMatrix } from './start-matrix.ts'

const { server, clients, cast } = await startMatrix(t)
await commit(server, [
  {
    type: 'realm/update_dict',
    changes: {
      settings: { hasSpectatorAccess: true },
      permissions: { canAddSubscribers: settingOf('members', 0, cast.crewId) },
    },
  },
  {
    type: 'stream/create',
    channels: [makeChannel(1, { name: 'commons', isWebPublic: true, creatorId: null })],
  },
])

/** One action that a permission decides. */
interface Probe {
  readonly permission: string
  /** The holder while other permissions are tried. */
  readonly initial: Holder
  readonly holders: readonly Holder[]
  /** Groups that may not hold it. */
  readonly forbidden: readonly ForbiddenGroup[]
  /** Tries it; a mark is never reused. */
  readonly attempt: (client: Client, mark: number, listener: number) => Promise<Answer>
  /** The answer without the permission. */
  readonly refusal: (actor: Actor, holder: Holder) => string
  /** Users whom the holder does not affect. */
  readonly isAlways?: (actor: Actor) => boolean | undefined
}
type ForbiddenGroup = 'role:internet' | 'role:everyone' | 'role:nobody'

const LACKING = 'Insufficient permission'
const HOLDERS: readonly Holder[] = ['nobody', 'self', 'crew', 'fullmembers', 'members']
const NOT_EVERYONE = ['role:internet', 'role:everyone'] as const
const isGuest = (actor: Actor) => actor === 'guest'

const creating = (permission: string, fields: Record<string, unknown>, more: Partial<Probe> = {}): Probe => ({
  permission,
  initial: 'members',
  holders: HOLDERS,
  forbidden: NOT_EVERYONE,
  attempt: (client, mark) =>
    client.post('/users/me/subscriptions', { subscriptions: [{ name: `made ${mark}` }], ...fields }),
  refusal: (actor) => (isGuest(actor) ? 'Must be an organization member' : LACKING),
  isAlways: (actor) => (isGuest(actor) ? false : undefined),
  ...more,
})

const talking = (permission: string, refusal: Probe['refusal']): Probe => ({
  permission,
  initial: 'everyone',
  holders: [...HOLDERS, 'everyone'],
  forbidden: ['role:internet'],
  attempt: (client, mark, listener) =>
    client.post('/messages', { type: 'direct', to: [listener], content: `word ${mark}` }),
  refusal,
})

const PROBES: readonly Probe[] = [
  creating('can_create_public_channel_group', {}),
  creating('can_create_private_channel_group', { invite_only: true }),
  creating(
    'can_create_web_public_channel_group',
    { is_web_public: true },
    { initial: 'nobody', holders: ['nobody', 'administrators', 'moderators'] },
  ),
  creating('can_add_subscribers_group', { subscriptions: [{ name: 'commons' }], principals: [cast.recruit] }),
  creating('can_set_topics_policy_group', { topics_policy: 'disable_empty_topic' }),
  creating(
    'can_set_delete_message_policy_group',
    { can_delete_any_message_group: settingOf('members', 0, cast.crewId) },
    {
      initial: 'moderators',
      isAlways: (actor) => (isGuest(actor) ? false : holds(actor, 'administrators') || undefined),
    },
  ),
  {
    permission: 'can_create_groups',
    initial: 'members',
    holders: HOLDERS,
    forbidden: NOT_EVERYONE,
    attempt: (client, mark) =>
      client.post('/user_groups/create', { name: `made ${mark}`, description: '', members: [] }),
    refusal: () => LACKING,
    isAlways: (actor) => (isGuest(actor) ? false : undefined),
  },
  {
    permission: 'can_manage_all_groups',
    initial: 'administrators',
    holders: HOLDERS.slice(1),
    forbidden: ['role:internet', 'role:everyone', 'role:nobody'],
    attempt: (client, mark) =>
      client.patch(`/user_groups/${cast.crewId}`, { description: `described ${mark}` }),
    refusal: () => LACKING,
    isAlways: (actor) => (isGuest(actor) ? false : undefined),
  },
  {
    permission: 'can_delete_any_message_group',
    initial: 'administrators',
    holders: HOLDERS,
    forbidden: NOT_EVERYONE,
    attempt: (client) => client.post('/streams/1/delete_topic', { topic_name: 'history' }),
    refusal: () => LACKING,
    isAlways: (actor) => (isGuest(actor) ? false : undefined),
  },
  talking('direct_message_permission_group', (_, holder) =>
    holder === 'nobody'
      ? 'Direct messages are disabled in this organization.'
      : 'This conversation does not include any users who can authorize it.',
  ),
  talking(
    'direct_message_initiator_group',
    () => 'You do not have permission to initiate direct message conversations.',
  ),
]

let tried = 0
/** A setting on the wire. */
function viewSetting(holder: Holder, actor: Actor): unknown {
  const setting = settingOf(holder, cast.actors[actor], cast.crewId)
  return typeof setting === 'number'
    ? setting
    : { direct_members: setting.directMembers, direct_subgroups: setting.directSubgroups }
}

const set = (permission: string, setting: unknown) =>
  clients.owner.patch('/realm', { [permission]: { new: setting } })

t.test('[MATRIX7] each permission of the organization admits its holders and nobody else', async (t) => {
  for (const probe of PROBES) {
    const { permission } = probe
    for (const holder of probe.holders) {
      // A user without direct messages with any actor: only a first message needs the right to begin.
      const listener = await addUser(server, `listener ${permission} ${holder}`, {
        role: 'guest',
        email: `listener${tried}@example.com`,
      })
      const differing: string[] = []
      for (const actor of ACTORS) {
        if (actor === ACTORS[0] || holder === 'self') {
          t.equal((await set(permission, viewSetting(holder, actor))).status, 200)
        }
        const { status, body } = await probe.attempt(clients[actor], ++tried, listener.userId)
        const isAllowed = probe.isAlways?.(actor) ?? holds(actor, holder)
        const found = status === 200 ? 'allowed' : body.msg
        const wanted = isAllowed ? 'allowed' : probe.refusal(actor, holder)
        if (found !== wanted) differing.push(`${actor}: ${found} rather than ${wanted}`)
      }
      t.same(differing, [], `${permission} held by ${holder}`)
    }
    t.equal((await set(permission, viewSetting(probe.initial, 'owner'))).status, 200)
  }
  t.comment(`${tried} combinations of actor, permission and holder were tried`)
})

const GROUP_IDS: Readonly<Record<ForbiddenGroup, number>> = {
  'role:everyone': 6,
  'role:internet': 7,
  'role:nobody': 8,
}

t.test('[MATRIX8] a group that may not hold a permission is refused, alone or within a set', async (t) => {
  for (const { permission, forbidden } of PROBES) {
    for (const group of forbidden) {
      const id = GROUP_IDS[group]
      for (const setting of [id, { direct_members: [1], direct_subgroups: [id] }]) {
        t.match(
          await set(permission, setting),
          {
            status: 400,
            body: {
              result: 'error',
              code: 'BAD_REQUEST',
              msg: `'${permission}' setting cannot be set to '${group}' group.`,
            },
          },
          `${permission}: ${JSON.stringify(setting)}`,
        )
      }
    }
  }
})
