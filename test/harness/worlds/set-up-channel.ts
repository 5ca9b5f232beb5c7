/** Initial settings of a channel, without the permissions of the API. */

import type { LogEvent } from '../../../server/domain/events.ts'
import type { ChannelChange } from '../../../server/domain/events/channels.ts'
import type { ChannelId } from '../../../server/domain/ids.ts'
import { commitEvents } from './commit-events.ts'
import type { TestServer } from '../servers/start-server.ts'

/** The id of the channel with a name. */
export function channelIdOf({ node }: TestServer, name: string): ChannelId {
  const found = node.services.state.findChannelByName(name)
  if (!found) throw new Error(`there is no channel ${name}`)
  return found.channel.id
}

/** Changes a channel without events to clients. */
export async function setUpChannel(
  server: TestServer,
  name: string,
  ...changes: readonly ChannelChange[]
): Promise<void> {
  const channelId = channelIdOf(server, name)
  await commitEvents(
    server,
    changes.map((change): LogEvent => ({ type: 'stream/update', channelId, name, change })),
  )
}
