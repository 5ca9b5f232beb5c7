/** Events straight into the log, for a state that the test is not about. */

import type { LogEvent, NewEvent } from '../../server/domain/events.ts'
import type { TestServer } from './start-server.ts'

/** Commits events of which no client is told. */
export async function commitEvents({ node }: TestServer, events: readonly LogEvent[]): Promise<void> {
  const silent = events.map((event): NewEvent => ({ event, audience: { kind: 'nobody' } }))
  await node.services.committer.submit({
    kind: 'structure',
    decide: () => ({ events: silent, reply: () => undefined }),
  })
}
