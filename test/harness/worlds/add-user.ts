/** Users beyond those of the default organization. */

import { addApiKey, createUser, deactivateUser } from './account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import { ROLES, type RoleName } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Client } from '../client/client.ts'
import type { TestServer } from '../servers/start-server.ts'

/** Adds a user; returns their client. */
export async function addUser(
  { node }: TestServer,
  name: string,
  { role = 'member', email = `${name}@example.com` }: { role?: RoleName; email?: string } = {},
): Promise<Client> {
  const key = createApiKey()
  const user = await node.services.committer.submit(
    createUser(
      {
        email,
        fullName: `The ${name}`,
        role: ROLES[role],
        isActive: true,
        botType: null,
        botOwnerId: null,
        timezone: '',
        joinedAt: 1_700_000_000,
        avatarVersion: 1,
      },
      key,
    ),
  )
  return new Client(node.url, user.id, email, key)
}

/** Deactivates a user. */
export async function deactivate({ node }: TestServer, userId: number): Promise<void> {
  await node.services.committer.submit(deactivateUser(userId as UserId))
}

/** Makes the key of a client valid again, for tests that go on with a user who was reactivated without it. */
export async function giveKeyBack({ node }: TestServer, { userId, key }: Client): Promise<void> {
  await node.services.committer.submit(addApiKey(userId as UserId, key))
}
