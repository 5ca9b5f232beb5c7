/** Sets and removes a flag of messages; answers the changes and their events. */

import type { FlaggedMessage } from '../../../db/unread/flagged-messages.ts'
import type { Fact } from '../../domain/events.ts'
import type { MessagesOfPlace, UnreadDetails } from '../../domain/events/messages.ts'
import { MENTION_FLAGS, MESSAGE_FLAGS, type SettableFlag } from '../../domain/messages/message-flags.ts'
import { type Place, placeWhereSent } from '../../domain/messages/places.ts'
import { answering, type Decision, done } from '../decision.ts'
import { canReadMessage, type GuardedMessage } from '../messages/message-access.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Messages in one change: others can send between two changes. Each is a row, some 10 µs with the log locked. */
const PER_CHANGE_MAX = 2_000
/** Messages that become read: some 2 µs each, since a place is one row with all of its exceptions. */
const READ_PER_CHANGE_MAX = 5_000
/** Read messages that a mark gains as exceptions before the server looks for a better mark. */
const READ_IDS_STEP = 256
/** Messages in an event that has the place of each: some hundred bytes each. */
const DETAILED_PER_EVENT_MAX = 1_000

/** A flag that is set or taken back. */
export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
}

/** The limit of messages in one change. */
export function messagesPerChange({ op, flag }: FlagChange): number {
  return op === 'add' && flag === 'read' ? READ_PER_CHANGE_MAX : PER_CHANGE_MAX
}

/** The caller's relation to the messages, as of the state: the log keeps it current. */
export interface KnownFlags {
  flagsOf(message: FlaggedMessage): number
  countReadIds(place: Place): number
}

/** Messages whose flag is to change. */
export interface FlagsRequest {
  readonly messages: readonly FlaggedMessage[]
  readonly change: FlagChange
  readonly known: KnownFlags
}

/** The result for each message. */
export interface FlagOutcome {
  readonly changed: readonly FlaggedMessage[]
  /** Messages of channels that the user is not subscribed to stay read. */
  readonly ignored: readonly FlaggedMessage[]
  /** The places that may have a better mark now. */
  readonly grown: readonly Place[]
}

/** Changes a flag of the caller's. */
export function decideFlags(scope: Scope, request: FlagsRequest): Decision<FlagOutcome> {
  const { state, caller } = scope
  const { messages, change, known } = request
  const isIgnored = ({ destination }: FlaggedMessage) =>
    change.op === 'remove' &&
    change.flag === 'read' &&
    destination.kind === 'channel' &&
    !state.channels.get(destination.channelId)?.subscribers.has(caller.id)
  const ignored = messages.filter(isIgnored)
  const isSet = (message: FlaggedMessage) => (known.flagsOf(message) & MESSAGE_FLAGS[change.flag]) !== 0
  const changed = messages.filter(
    (message) => !isIgnored(message) && isSet(message) !== (change.op === 'add'),
  )
  const grown = change.op === 'add' && change.flag === 'read' ? findGrown(changed, known) : []
  return answering({ changed, ignored, grown }, flagEvents(scope, changed, request))
}

/** A message that a query found, with the fields that decide whether the user may read it. */
export interface FoundMessage extends GuardedMessage {
  readonly message: FlaggedMessage
}

/** The same, but fails unless the caller may read every message. */
export function decideFlagsOfReadable(
  scope: Scope<'MESSAGE_UNKNOWN'>,
  { found, ...request }: FlagsRequest & { readonly found: readonly FoundMessage[] },
): Decision<FlagOutcome> {
  checkReadable(scope, found)
  return decideFlags(scope, request)
}

/** Throws if the caller may not read one of some messages. */
export function checkReadable(scope: Scope<'MESSAGE_UNKNOWN'>, found: readonly FoundMessage[]): void {
  const { state, fail } = scope
  const isReadable = (one: FoundMessage) => one.message.id <= state.appliedId && canReadMessage(scope, one)
  if (!found.every(isReadable)) throw fail('MESSAGE_UNKNOWN')
}

/** Marks every message that the caller has as read, if any is unread. */
export function decideAllRead(scope: Scope, { hasUnread }: { readonly hasUnread: boolean }): Decision<void> {
  const event = { type: 'update_message_flags', op: 'add', flag: 'read', messages: [], isAll: true } as const
  return done(hasUnread ? [ownFact(scope, event)] : [])
}

/** The places whose marks gain another step of read messages as exceptions: these may be the newest of a long backlog. */
function findGrown(changed: readonly FlaggedMessage[], known: KnownFlags): Place[] {
  const steps = (count: number) => Math.floor(count / READ_IDS_STEP)
  return byPlace(changed).flatMap(({ place, messageIds }) => {
    const before = known.countReadIds(place)
    return steps(before + messageIds.length) > steps(before) ? [place] : []
  })
}

function flagEvents(
  scope: Scope,
  changed: readonly FlaggedMessage[],
  { change: { op, flag }, known }: FlagsRequest,
): Fact[] {
  const hasDetails = op === 'remove' && flag === 'read'
  const countMax = hasDetails ? DETAILED_PER_EVENT_MAX : READ_PER_CHANGE_MAX
  const events: Fact[] = []
  for (let start = 0; start < changed.length; start += countMax) {
    const some = changed.slice(start, start + countMax)
    const details = hasDetails ? { details: some.map((message) => detailsOf(scope, message, known)) } : {}
    events.push(
      ownFact(scope, { type: 'update_message_flags', op, flag, messages: byPlace(some), ...details }),
    )
  }
  return events
}

function byPlace(messages: readonly FlaggedMessage[]): MessagesOfPlace[] {
  return [...Map.groupBy(messages, placeWhereSent)].map(([place, some]) => ({
    place,
    messageIds: some.map(({ id }) => id).sort((a, b) => a - b),
  }))
}

function detailsOf({ caller }: Scope, message: FlaggedMessage, known: KnownFlags): UnreadDetails {
  const { id: messageId, destination } = message
  const isMentioned = (known.flagsOf(message) & MENTION_FLAGS) !== 0
  return destination.kind === 'direct'
    ? {
        messageId,
        isMentioned,
        userIds: destination.userIds.filter((id) => id !== caller.id),
        channelId: null,
        topic: '',
      }
    : { messageId, isMentioned, userIds: null, channelId: destination.channelId, topic: destination.topic }
}
