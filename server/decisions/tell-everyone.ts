/** Events that every active user sees. */

import type { LogEvent, NewEvent } from '../domain/events.ts'
import type { ServerScope } from './scope.ts'

export function tellEveryone({ state }: Pick<ServerScope, 'state'>, event: LogEvent): NewEvent {
  return { event, audience: { kind: 'users', users: state.rights.activeUsers } }
}
