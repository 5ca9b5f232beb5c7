/** Applies the log to the state, one event at a time. */

import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'
import { OrganizationState } from '../state/organization-state.ts'
import { factEntryOf, isStructural } from './table.ts'

/** The state after some events, as an overlay; the given state stays unchanged. */
export function overlay(state: OrganizationState, events: readonly LogEvent[]): OrganizationState {
  const after = new OrganizationState(state)
  for (const event of events) {
    after.appliedId = (after.appliedId + 1) as EventId
    change(after, event)
  }
  return after
}

/** Applies the entry that follows the last applied one. */
export function applyEvent(state: OrganizationState, { id, event }: LogEntry): void {
  if (id !== state.appliedId + 1) throw new Error(`event ${id} does not follow event ${state.appliedId}`)
  state.appliedId = id
  change(state, event)
}

function change(state: OrganizationState, event: LogEvent): void {
  if (isStructural(event)) state.structuralId = state.appliedId
  // Event types of a newer release change nothing in this state.
  factEntryOf(event)?.apply?.(state, event as never, state.appliedId)
}
