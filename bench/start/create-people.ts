/** Creates the users of a benchmark. */

import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { newApiKey } from '../../server/changes/passwords.ts'
import { submitForServer } from '../../server/changes/submit.ts'
import { done } from '../../server/decisions/decision.ts'
import { decideNewOrganization } from '../../server/decisions/organization/create-organization.ts'
import { addUser } from '../../server/decisions/users/create-user.ts'
import { ROLES, type User } from '../../server/domain/entities.ts'
import type { UserId } from '../../server/domain/ids.ts'

/** Users in one transaction: more may take longer than the database waits, on a machine with other work. */
const BATCH_LENGTH = 100
const CREATED_AT = 1_700_000_000

/** A user with their credentials. */
export interface Person {
  readonly id: UserId
  /** The value of the `Authorization` header. */
  readonly authorization: string
}

/** Creates an organization with this many users; the first is its owner. */
export async function createPeople(databaseUrl: string, count: number): Promise<Person[]> {
  const writer = await openLocalWriter(databaseUrl)
  const people: Person[] = []
  try {
    const organization = { name: 'Bench', description: '', renderedDescription: '', createdAt: CREATED_AT }
    await submitForServer(writer, (scope) => decideNewOrganization(scope, organization))
    while (people.length < count) {
      const first = people.length + 1
      const length = Math.min(BATCH_LENGTH, count - people.length)
      const batch = Array.from({ length }, (_, index) => ({
        user: makeUser((first + index) as UserId),
        ...newApiKey(),
      }))
      await submitForServer(writer, () =>
        done(batch.flatMap((one) => addUser({ ...one, isFullMember: true }))),
      )
      for (const { user, apiKey } of batch) {
        const credentials = Buffer.from(`${user.email}:${apiKey}`).toString('base64')
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
