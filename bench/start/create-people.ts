/** The people that a benchmark needs. */

import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { createOrganization, tellOfUser } from '../../server/api/changes/change-users.ts'
import { createApiKey, hashApiKey } from '../../server/changes/passwords.ts'
import { ROLES, type User } from '../../server/domain/entities.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { UserSet } from '../../server/domain/user-set.ts'

/** People made in one transaction. */
const BATCH_LENGTH = 500
const CREATED_AT = 1_700_000_000

/** One user with the credentials of their requests. */
export interface Person {
  readonly id: UserId
  /** The value of the `Authorization` header. */
  readonly authorization: string
}

/** Makes an organization of so many people; the first is its owner. */
export async function createPeople(databaseUrl: string, count: number): Promise<Person[]> {
  const writer = await openLocalWriter(databaseUrl)
  const people: Person[] = []
  try {
    await writer.committer.submit(
      createOrganization({ name: 'Bench', description: '', renderedDescription: '', createdAt: CREATED_AT }),
    )
    while (people.length < count) {
      const first = people.length + 1
      const length = Math.min(BATCH_LENGTH, count - people.length)
      const batch = Array.from({ length }, (_, index) => ({
        user: makeUser((first + index) as UserId),
        key: createApiKey(),
      }))
      await writer.committer.submit({
        kind: 'structure',
        decide: () => ({
          events: batch.flatMap(({ user, key }) => tellOfUser(user, hashApiKey(key), true, UserSet.empty)),
          reply: () => undefined,
        }),
      })
      for (const { user, key } of batch) {
        const credentials = Buffer.from(`${user.email}:${key}`).toString('base64')
        people.push({ id: user.id, authorization: `Basic ${credentials}` })
      }
    }
  } finally {
    await writer.close()
  }
  return people
}

function makeUser(id: UserId): User {
  return {
    id,
    email: `person${id}@example.com`,
    fullName: `Person ${id}`,
    role: id === 1 ? ROLES.owner : ROLES.member,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: CREATED_AT,
    avatarVersion: 1,
    isSystem: false,
  }
}
