/** Setting and taking back a flag of messages: what changes by it, and the events that say so. */

import type { FlaggedMessage } from '../../../db/flagged-messages.ts'
import { moveMarks } from '../../../db/mark-moves.ts'
import { placeWhereSent, type Reader } from '../../actors/reader.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { FlagsChanged, MessagesOfPlace, UnreadDetails } from '../../domain/events/messages.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { MENTION_FLAGS, MESSAGE_FLAGS, type SettableFlag } from '../../domain/message-flags.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Place } from '../../domain/places.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Readers } from '../../actors/readers.ts'
import type { Sending } from '../sending.ts'

/** Messages of one change: others send between two of them. Each is a row, some 10 µs with the log locked. */
const PER_CHANGE_MAX = 2_000
/** Those that become read: some 2 µs apiece, since a place is one row with all that it excepts. */
const READ_PER_CHANGE_MAX = 5_000
/** Read messages that a mark comes to except before it is looked whether there is a better place for it. */
const READ_IDS_STEP = 256
/** Those of one that says where each message is: some hundred bytes apiece. */
const DETAILED_PER_EVENT_MAX = 1_000

/** What flags are changed with. */
export interface Flagging extends Pick<Sending, 'sql' | 'state' | 'committer'> {
  readonly readers: Readers
}

/** What is to become of which flag. */
export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
}

/** What came of it. */
export interface FlagOutcome {
  readonly changed: readonly FlaggedMessage[]
  /** Messages of channels that the user is not subscribed to stay read. */
  readonly ignored: readonly FlaggedMessage[]
}

/**
 * Changes a flag of messages that the user may read, of many in several changes; `check` throws where they no longer may,
 * which leaves what was changed until then.
 */
export async function changeFlags(
  messages: readonly FlaggedMessage[],
  change: FlagChange,
  userId: UserId,
  services: Flagging,
  check: (state: OrganizationState) => void = () => {},
): Promise<FlagOutcome> {
  const outcomes: FlagOutcome[] = []
  const countMax = change.op === 'add' && change.flag === 'read' ? READ_PER_CHANGE_MAX : PER_CHANGE_MAX
  for (let start = 0; start < messages.length; start += countMax) {
    const some = messages.slice(start, start + countMax)
    outcomes.push(await changeSome(some, change, userId, services, check))
  }
  return {
    changed: outcomes.flatMap(({ changed }) => changed),
    ignored: outcomes.flatMap(({ ignored }) => ignored),
  }
}

async function changeSome(
  messages: readonly FlaggedMessage[],
  change: FlagChange,
  userId: UserId,
  { sql, readers, committer }: Flagging,
  check: (state: OrganizationState) => void,
): Promise<FlagOutcome> {
  const reader = await readers.get(userId)
  let grown: Place[] = []
  const outcome = await committer.submit({
    kind: 'structure',
    decide(state) {
      check(state)
      const isIgnored = ({ destination }: FlaggedMessage) =>
        change.op === 'remove' &&
        change.flag === 'read' &&
        destination.kind === 'channel' &&
        !state.channels.get(destination.channelId)?.subscribers.has(userId)
      const ignored = messages.filter(isIgnored)
      const isSet = (message: FlaggedMessage) => (reader.flagsOf(message) & MESSAGE_FLAGS[change.flag]) !== 0
      const changed = messages.filter(
        (message) => !isIgnored(message) && isSet(message) !== (change.op === 'add'),
      )
      grown = change.op === 'add' && change.flag === 'read' ? findGrown(changed, reader) : []
      return { events: eventsOf(changed, change, reader), reply: () => ({ changed, ignored }) }
    },
  })
  if (grown.length > 0) await moveMarks(sql, userId, grown)
  return outcome
}

/** The places whose marks come to except another step of read messages: they may be the newest of a long backlog. */
function findGrown(changed: readonly FlaggedMessage[], reader: Reader): Place[] {
  const steps = (count: number) => Math.floor(count / READ_IDS_STEP)
  return byPlace(changed).flatMap(({ place, messageIds }) => {
    const before = reader.countReadIds(place)
    return steps(before + messageIds.length) > steps(before) ? [place] : []
  })
}

/** The channels of messages, each once, ascending. */
export function channelIdsOf(messages: readonly FlaggedMessage[]): ChannelId[] {
  const ids = messages.flatMap(({ destination }) =>
    destination.kind === 'channel' ? [destination.channelId] : [],
  )
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** The event of a change of the user's own. */
export function flagsEvent(event: FlagsChanged): NewEvent {
  return { event, audience: { kind: 'users', users: UserSet.of([event.userId]) } }
}

function eventsOf(
  changed: readonly FlaggedMessage[],
  { op, flag }: FlagChange,
  reader: Reader,
): readonly NewEvent[] {
  const hasDetails = op === 'remove' && flag === 'read'
  const countMax = hasDetails ? DETAILED_PER_EVENT_MAX : READ_PER_CHANGE_MAX
  const events: NewEvent[] = []
  for (let start = 0; start < changed.length; start += countMax) {
    const some = changed.slice(start, start + countMax)
    const details = hasDetails ? { details: some.map((message) => detailsOf(message, reader)) } : {}
    const { userId } = reader
    events.push(
      flagsEvent({ type: 'update_message_flags', userId, op, flag, messages: byPlace(some), ...details }),
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

function detailsOf(message: FlaggedMessage, reader: Reader): UnreadDetails {
  const { id: messageId, destination } = message
  const isMentioned = (reader.flagsOf(message) & MENTION_FLAGS) !== 0
  return destination.kind === 'direct'
    ? {
        messageId,
        isMentioned,
        userIds: destination.userIds.filter((id) => id !== reader.userId),
        channelId: null,
        topic: '',
      }
    : { messageId, isMentioned, userIds: null, channelId: destination.channelId, topic: destination.topic }
}
