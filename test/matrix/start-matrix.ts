/** The organization of the matrix: every role, a member within the waiting period, and a nested group. */

import { createUser } from '../harness/worlds/account-changes.ts'
import { createApiKey } from '../../server/changes/passwords.ts'
import { ROLES } from '../../server/domain/entities.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { GroupId, UserId } from '../../server/domain/ids.ts'
import { completePermissions, GROUP_PERMISSIONS } from '../../server/domain/groups/permissions.ts'
import { addUser } from '../harness/worlds/add-user.ts'
import { Client } from '../harness/client/client.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { commit, settingOf } from './build-channels.ts'
import type { Cast } from './channel-actions.ts'
import { ADDERS_EVERYWHERE, type Actor, CREW } from './channel-rules.ts'

const WAITING_PERIOD_DAYS = 30
const CREW_ID = 9 as GroupId // The first after the system groups.
const DECK_ID = 10 as GroupId

/** A running server with all actors. */
export interface Matrix {
  readonly server: TestServer
  readonly clients: Readonly<Record<Actor, Client>>
  readonly cast: Cast
}

export async function startMatrix(t: TestContext): Promise<Matrix> {
  const server = await startTestServer(t)
  await commit(server, [
    {
      type: 'realm/update_dict',
      changes: {
        settings: { waitingPeriodDays: WAITING_PERIOD_DAYS },
        permissions: { canAddSubscribers: settingOf(ADDERS_EVERYWHERE, 0, CREW_ID) },
      },
    },
  ])
  const clients: Record<Actor, Client> = {
    owner: server.as('owner'),
    administrator: server.as('administrator'),
    moderator: server.as('moderator'),
    member: server.as('member'),
    newcomer: await addNewcomer(server),
    guest: server.as('guest'),
    bot: server.as('bot'),
  }
  const ids = Object.entries(clients).map(([actor, { userId }]) => [actor, userId])
  const actors = Object.fromEntries(ids) as Record<Actor, number>
  const victim = (await addUser(server, 'victim')).userId
  const recruit = (await addUser(server, 'recruit')).userId
  await commit(server, [
    group(CREW_ID, 'crew', [], []),
    group(
      DECK_ID,
      'deck',
      CREW.map((actor) => actors[actor] as UserId),
      [],
    ),
    { type: 'user_group/add_subgroups', groupId: CREW_ID, subgroupIds: [DECK_ID] },
  ])
  return { server, clients, cast: { actors, victim, recruit, crewId: CREW_ID } }
}

/** A member with a new account. */
async function addNewcomer({ node }: TestServer): Promise<Client> {
  const key = createApiKey()
  const email = 'newcomer@example.com'
  const user = await node.services.committer.submit(
    createUser(
      {
        email,
        fullName: 'The newcomer',
        role: ROLES.member,
        isActive: true,
        botType: null,
        botOwnerId: null,
        timezone: '',
        joinedAt: Math.floor(Date.now() / 1000),
        avatarVersion: 1,
      },
      key,
    ),
  )
  return new Client(node.url, user.id, email, key)
}

function group(
  id: GroupId,
  name: string,
  memberIds: readonly UserId[],
  subgroupIds: readonly GroupId[],
): LogEvent {
  return {
    type: 'user_group/add',
    group: {
      id,
      name,
      description: '',
      creatorId: null,
      createdAt: null,
      isSystem: false,
      isDeactivated: false,
      permissions: completePermissions(GROUP_PERMISSIONS, {}, null),
    },
    memberIds,
    subgroupIds,
  }
}
