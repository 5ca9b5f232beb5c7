/** The busy organization of the tests, for benchmarks of the browser client. */

import { connect } from '../../db/connection/connect.ts'
import {
  ACCOUNTS,
  createPeople,
  emailOf,
  type Person as TestPerson,
} from '../../test/harness/servers/start-server.ts'
import { fillOrganization } from '../../test/browser/fill-organization.ts'
import type { Person } from './create-people.ts'

export interface BusyOrganization {
  /** Has not read for a while. */
  readonly reader: Person
  readonly writers: readonly Person[]
  /** The channels by name. */
  readonly channelIds: ReadonlyMap<string, number>
}

/** Fills an empty database with 30 people, 27 channels, 6,000 messages and 600 unread conversations. */
export async function fillBusyOrganization(databaseUrl: string): Promise<BusyOrganization> {
  await createPeople(databaseUrl)
  await fillOrganization(databaseUrl)
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const rows = await sql<{ id: number; name: string }[]>`select id, name from channels`
    return {
      reader: personOf('member'),
      writers: (['owner', 'administrator', 'moderator', 'member2'] as const).map(personOf),
      channelIds: new Map(rows.map(({ id, name }) => [name, id])),
    }
  } finally {
    await sql.end()
  }
}

function personOf(name: TestPerson): Person {
  const account = ACCOUNTS.get(name)
  if (!account) throw new Error(`there is no ${name}`)
  const credentials = Buffer.from(`${emailOf(name)}:${account.key}`).toString('base64')
  return { id: account.id, authorization: `Basic ${credentials}` }
}
