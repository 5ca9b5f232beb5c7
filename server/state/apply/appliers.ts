/** What each family's table says of how its events change the state. */

import type { EventOf, LogEvent } from '../../domain/events.ts'
import type { EventId, UserId } from '../../domain/ids.ts'
import type { OwnList } from '../../domain/own-lists.ts'
import type { OrganizationState } from '../organization-state.ts'

/** Changes the state by an event, whose number is `id`. */
export type Applier<Event extends LogEvent> = (state: OrganizationState, event: Event, id: EventId) => void

/** For each kind of a family what it changes; the compiler misses none. */
export type Appliers<Family extends LogEvent> = {
  readonly [Type in Family['type']]: Applier<EventOf<Type, Family>>
}

/** Of what is told to clients only: the state changed with the event that caused it. */
export const noticeOnly = (): void => undefined

/** Of what the state does not hold: the tables alone do, or nothing. */
export const keptElsewhere = (): void => undefined

/** Of what is added to a list that the tables alone hold: the state knows who has one. */
export const keptInList =
  (list: OwnList) =>
  (state: OrganizationState, { userId }: { readonly userId: UserId }): void => {
    state.listOwners.add(list, [userId])
  }
