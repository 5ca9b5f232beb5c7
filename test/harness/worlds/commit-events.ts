/** Appends events directly to the log, for a state that the test only starts from. */

import type { LogEvent, NewEvent } from '../../../server/domain/events.ts'
import { forgetViewers } from '../states/left-viewers.ts'
import type { TestServer } from '../servers/start-server.ts'

/** Commits events that no client receives. */
export async function commitEvents(server: TestServer, events: readonly LogEvent[]): Promise<void> {
  const { node } = server
  forgetViewers(server)
  const silent = events.map((event): NewEvent => ({ event, audience: { kind: 'nobody' } }))
  await node.services.committer.submit({
    kind: 'structure',
    decide: () => ({ events: silent, reply: () => undefined }),
  })
}
