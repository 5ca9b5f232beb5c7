/** A server with channels to update, and short words for the updates. */

import type { LogEvent } from '../../../server/domain/events.ts'
import type { OrganizationSettings } from '../../../server/domain/organization/organization-settings.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer, type Person } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

/** The property and value of each event of a change. */
export const changes = (events: readonly WireEvent[]) =>
  events.map(({ type, op, property, value }) => [`${type}/${op}`, property, value])

/** Starts it. */
export async function startForChannels(t: TestContext) {
  const server = await startTestServer(t)
  const [owner, member, member2, guest] = [
    server.as('owner'),
    server.as('member'),
    server.as('member2'),
    server.as('guest'),
  ]
  return {
    server,
    owner,
    member,
    member2,
    guest,
    update: (person: Person, name: string, fields: Fields) =>
      server.as(person).patch(`/streams/${channelIdOf(server, name)}`, fields),
    mustUpdate: async (person: Person, name: string, fields: Fields): Promise<void> => {
      await server.as(person).must('PATCH', `/streams/${channelIdOf(server, name)}`, fields)
    },
    channelOf: async (name: string) => {
      const { streams } = await owner.must('GET', '/streams', { include_all: true, exclude_archived: false })
      return streams.find((one: { name: string }) => one.name === name)
    },
    set: (settings: Partial<OrganizationSettings>) =>
      commitEvents(server, [{ type: 'realm/update_dict', changes: { settings } }]),
    permit: (permissions: Extract<LogEvent, { type: 'realm/update_dict' }>['changes']['permissions']) =>
      commitEvents(server, [{ type: 'realm/update_dict', changes: permissions ? { permissions } : {} }]),
    /** `member` creates it and so administers it. */
    makeChannel: async (name: string, fields: Fields = {}, others: readonly number[] = []): Promise<void> => {
      await member.subscribe([name], { principals: [member.userId, ...others], ...fields })
    },
  }
}
