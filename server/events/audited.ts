/** The form of facts in the audit log: which part of one is stored, and how owners see it. */

import type { EventId, UserId } from '../domain/ids.ts'
import { INTEGER, record, type Schema } from '../domain/json-schema.ts'
import type { UserSet } from '../domain/users/user-set.ts'

export interface Audited<Event> {
  /** The stored part; undefined if the audit log does not have this fact. */
  readonly partOf: (fact: Event) => object | undefined
  /** The schema of the details for owners. */
  readonly schema: Schema<object>
  /** The details for owners, of the part of the event with this id. */
  readonly view: (part: never, activeUsers: UserSet, id: EventId) => object
}

/**
 * A fact in the audit log. Its part never has the text of messages, topics, email addresses, passwords, keys or tokens,
 * so nothing that shows it can.
 */
export function audited<Event, Part extends object, Details extends object>(
  partOf: (fact: Event) => Part | undefined,
  schema: Schema<Details>,
  view: (part: Part, activeUsers: UserSet, id: EventId) => NoInfer<Details>,
): Audited<Event> {
  return { partOf, schema, view: view as Audited<Event>['view'] }
}

/** Without the HTML that follows from a description. */
export function withoutHtml<Change extends { readonly renderedDescription?: string }>(change: Change) {
  const { renderedDescription: _, ...others } = change
  return others
}

export const AUDITED_USER_SCHEMA = record({ user_id: INTEGER })
export const viewAuditedUser = ({ userId }: { readonly userId: UserId }) => ({ user_id: userId })

/** A fact of which only the user is stored. */
export const AUDITED_USER = audited(
  ({ userId }: { readonly userId: UserId }) => ({ userId }),
  AUDITED_USER_SCHEMA,
  viewAuditedUser,
)
