/** The form of the tables of appliers. */

import type { EventOf, LogEvent } from '../../domain/events.ts'
import type { EventId, UserId } from '../../domain/ids.ts'
import type { OwnList } from '../../domain/personal/own-lists.ts'
import type { OrganizationState } from '../organization-state.ts'

/** Changes the state by an event, whose number is `id`. */
export type Applier<Event extends LogEvent> = (state: OrganizationState, event: Event, id: EventId) => void

/** An applier for each type of a family; the compiler asks for each. */
export type Appliers<Family extends LogEvent> = {
  readonly [Type in Family['type']]: Applier<EventOf<Type, Family>>
}

/** For notices: the state changed with the fact that they follow. */
export const noticeOnly = (): void => undefined

/** For data that the state does not hold: only the tables have it, or nothing. */
export const storedElsewhere = (): void => undefined

/** For additions to a list that only the tables hold: the state knows which users have one. */
export const storedInList =
  (list: OwnList) =>
  (state: OrganizationState, { userId }: { readonly userId: UserId }): void => {
    state.listOwners.add(list, [userId])
  }
