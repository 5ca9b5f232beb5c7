/** Recipients of facts about uploads: their owners. */

import type { EventOf, NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { type Notifier, toUsers } from './notifier.ts'

type UploadFact = EventOf<'attachment/add' | 'attachment/update' | 'attachment/remove'>

const toOwner = (event: UploadFact, ownerId: UserId): NewEvent => ({
  event,
  audience: toUsers(UserSet.of([ownerId])),
})

export const ownersOfAdded: Notifier<EventOf<'attachment/add'>> = (facts) =>
  facts.map((fact) => toOwner(fact, fact.upload.ownerId))

/** Others' messages may change an upload of a user who was deactivated. */
export const activeOwners: Notifier<EventOf<'attachment/update'>> = (facts, { before: { rights } }) =>
  facts
    .filter(({ upload }) => rights.activeUsers.has(upload.ownerId))
    .map((fact) => toOwner(fact, fact.upload.ownerId))

export const ownersOfRemoved = (facts: readonly EventOf<'attachment/remove'>[]): readonly NewEvent[] =>
  facts.map((fact) => toOwner(fact, fact.ownerId))
