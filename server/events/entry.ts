/**
 * The form of the tables of events: one entry says all that a type of event is. An answer that is left out is the
 * commonest one: nothing to apply, nothing to store, no subjects, not audited, and for its owner alone.
 */

import type { StoreRun } from '../../db/log/store-runs.ts'
import type { InSql, WriteBatch } from '../../db/log/write-batch.ts'
import { nobody, type Notifier, owner } from '../audience/notifier.ts'
import type { Audience, EventOf, Fact, LogEvent, Notice } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { OwnList } from '../domain/personal/own-lists.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Audited } from './audited.ts'
import type { View } from './view.ts'

/** Of facts on messages: the recipients come from rows that the decision was given, so the decision names them. */
export const NAMED_BY_DECISION = 'named by the decision'

/** The answers for facts and notices alike. */
interface Shown<Event extends LogEvent> {
  /** The form for clients. */
  readonly view: View<Event>
  /** The users whose account or activity it shows, not only their id: only users who know them get it. */
  readonly subjects?: (event: Event) => readonly UserId[]
  /** Whether it is useless for a recipient who no longer knows its subjects: a later event removes them. */
  readonly isUselessIfUnknown?: boolean
}

interface Changing<Event extends Fact> {
  /** Changes the state; `id` is the event's number. Left out if only the tables hold it, or nothing. */
  readonly apply?: (state: OrganizationState, event: Event, id: EventId) => void
  /**
   * Whether it changes the input of decisions, so that earlier ones must be decided again; by default if it changes
   * the state.
   */
  readonly isStructural?: boolean | ((event: Event) => boolean)
  /** Adds the writes for its rows; `id` is an expression of its number. */
  readonly store?: (writes: WriteBatch, id: InSql<EventId>, event: Event, audience: Audience) => void
  /** Adds the writes for consecutive events at once; those that it leaves are stored alone. */
  readonly storeRun?: StoreRun
  /** Its form in the audit log. */
  readonly audit?: Audited<Event>
}

type AudienceOf<Event extends Fact> = Notifier<Event> | typeof NAMED_BY_DECISION

/** A fact that clients get names its recipients, unless it has an owner. */
type Addressed<Event extends Fact> = Event extends { readonly userId: UserId }
  ? { readonly audience?: AudienceOf<Event> }
  : { readonly audience: AudienceOf<Event> }

/** The entry of a fact. */
export interface FactEntry<Event extends Fact> extends Required<Omit<Shown<Event>, 'view'>> {
  readonly kind: 'fact'
  /** Null if clients never get it. */
  readonly view: View<Event> | null
  readonly isStructural: boolean | ((event: Event) => boolean)
  readonly audience: AudienceOf<Event>
  readonly apply: Changing<Event>['apply']
  readonly store: Changing<Event>['store']
  readonly storeRun: StoreRun | undefined
  readonly audit: Audited<Event> | undefined
}

/** The entry of a notice: the state and the tables changed with the facts that it follows. */
export interface NoticeEntry<Event extends Notice> extends Required<Shown<Event>> {
  readonly kind: 'notice'
}

export type Entry<Event extends LogEvent> = Event extends Fact
  ? FactEntry<Event>
  : Event extends Notice
    ? NoticeEntry<Event>
    : never

/** An entry for each type of a family; the compiler asks for each. */
export type Entries<Family extends LogEvent> = {
  readonly [Type in Family['type']]: Entry<EventOf<Type, Family>>
}

/** An event that changes the state or the tables, for clients. */
export function fact<Event extends Fact>(
  spec: NoInfer<Shown<Event> & Changing<Event> & Addressed<Event>>,
): FactEntry<Event> {
  // Only a fact with a user may leave its audience out.
  return factEntry(spec as Spec<Event>, owner as unknown as Notifier<Event>)
}

/** A fact that clients never get; notices may follow from it. */
export function silent<Event extends Fact>(
  spec: NoInfer<Changing<Event> & { readonly audience?: Notifier<Event> }>,
): FactEntry<Event> {
  return factEntry({ ...spec, view: null }, nobody)
}

type Spec<Event extends Fact> = Omit<Shown<Event>, 'view'> &
  Changing<Event> & { readonly view: View<Event> | null; readonly audience?: AudienceOf<Event> }

function factEntry<Event extends Fact>(spec: Spec<Event>, audience: Notifier<Event>): FactEntry<Event> {
  return {
    kind: 'fact',
    apply: spec.apply,
    isStructural: spec.isStructural ?? spec.apply !== undefined,
    store: spec.store,
    storeRun: spec.storeRun,
    audience: spec.audience ?? audience,
    subjects: spec.subjects ?? noSubjects,
    isUselessIfUnknown: spec.isUselessIfUnknown ?? false,
    view: spec.view,
    audit: spec.audit,
  }
}

/** An event that only tells clients what follows from facts. */
export function notice<Event extends Notice>(spec: NoInfer<Shown<Event>>): NoticeEntry<Event> {
  const { view, subjects = noSubjects, isUselessIfUnknown = false } = spec
  return { kind: 'notice', view, subjects, isUselessIfUnknown }
}

const NO_USERS: readonly UserId[] = []
const noSubjects = () => NO_USERS

/** Its user, as the only subject. */
export const userOf = ({ userId }: { readonly userId: UserId }): readonly UserId[] => [userId]

/** For additions to a list that only the tables hold: the state knows which users have one. */
export const addsTo = (list: OwnList) => ({
  apply(state: OrganizationState, { userId }: { readonly userId: UserId }): void {
    state.listOwners.add(list, [userId])
  },
  isStructural: false,
})
