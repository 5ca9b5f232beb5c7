/** Reads the whole log; if it goes back to the first event, the sum of its events must equal the tables. */

import type { Sql } from '../../db/connection/connect.ts'
import { readFirstEventId, readLog } from '../../db/log/event-log.ts'
import type { EventId } from '../domain/ids.ts'
import { DAY_SECONDS } from '../domain/messages/weekly-traffic.ts'
import { applyEvent } from '../events/apply-event.ts'
import { loadState } from '../state/load-state.ts'
import { OrganizationState } from '../state/organization-state.ts'
import { listParts, writePart } from '../state/state-parts.ts'
import type { Difference } from './difference.ts'
import type { Progress } from './progress.ts'

/** Entries in one read. */
const PAGE_LENGTH = 500

/** The result of the comparison. */
export interface LogComparison {
  readonly lastEventId: EventId
  readonly entries: number
  readonly isComplete: boolean
  readonly differences: readonly Difference[]
}

/** Compares the log with the state that the tables hold. */
export async function compareLog(sql: Sql, progress: Progress): Promise<LogComparison> {
  const loaded = await loadState(sql)
  const firstId = (await readFirstEventId(sql)) ?? ((loaded.appliedId + 1) as EventId)
  const isComplete = firstId === 1
  const summed = new OrganizationState()
  const unreadable: string[] = []
  let entries = 0
  for (let id = (firstId - 1) as EventId; id < loaded.appliedId; ) {
    const page = (await readLog(sql, id, PAGE_LENGTH)).filter((entry) => entry.id <= loaded.appliedId)
    if (page.length === 0) break
    for (const entry of page) {
      id = entry.id
      if (!isComplete || unreadable.length > 0) continue
      try {
        applyEvent(summed, entry)
      } catch (error) {
        unreadable.push(`${entry.id}: ${(error as Error).message}`) // The rest has no state to be applied to.
      }
    }
    entries += page.length
    progress.rows = entries
  }
  const differences: Difference[] = []
  if (unreadable.length > 0)
    differences.push({ kind: 'log entry', text: 'this event cannot be applied', ids: unreadable })
  else if (isComplete) {
    const parts = compareStates(summed, loaded)
    if (parts.length > 0)
      differences.push({
        kind: 'state',
        text: 'these parts of the tables differ from the sum of all events',
        ids: parts,
      })
  }
  return { lastEventId: loaded.appliedId, entries, isComplete, differences }
}

/** The parts in which two states differ. */
function compareStates(one: OrganizationState, other: OrganizationState): string[] {
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS)
  const names = new Set([...listParts(one), ...listParts(other)])
  return [...names].filter((part) => writePart(one, part, today) !== writePart(other, part, today))
}
