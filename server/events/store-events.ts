/** Writes the rows of events, in the batch that logs them. */

import type { InSql, WriteBatch } from '../../db/log/write-batch.ts'
import type { NewEvent } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'
import { factEntryOf } from './table.ts'

/** Adds the writes for the rows of events; `idOf` answers each number as an expression. */
export function storeEvents(
  writes: WriteBatch,
  events: readonly NewEvent[],
  idOf: (index: number) => InSql<EventId>,
): void {
  for (let start = 0; start < events.length; ) {
    const { event, audience } = events[start] as NewEvent
    const entry = factEntryOf(event)
    const length = entry?.storeRun?.(writes, idOf(start), events, start) ?? 0
    if (length === 0) entry?.store?.(writes, idOf(start), event as never, audience)
    start += length || 1
  }
}
