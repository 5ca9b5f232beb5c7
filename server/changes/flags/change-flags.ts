/** Sets or removes a flag of messages, of many in several changes. */

import { type FlaggedMessage, readUnreadOfChannel } from '../../../db/unread/flagged-messages.ts'
import { moveMarks } from '../../../db/unread/mark-moves.ts'
import type { Readers } from '../../actors/readers.ts'
import {
  decideFlags,
  decideFlagsOfReadable,
  type FlagChange,
  type FlagOutcome,
  type FlagsRequest,
  type FoundMessage,
  messagesPerChange,
} from '../../decisions/flags/change-flags.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { submit, type Writer } from '../submit.ts'

/** Services that a change of flags needs. */
export interface Flagging extends Pick<Sending, 'sql' | 'state'>, Writer {
  readonly readers: Readers
}

/** The changed messages, and the ignored ones. */
export type FlagResult = Pick<FlagOutcome, 'changed' | 'ignored'>

/** Changes a flag of messages that the user may read. */
export async function changeFlags(
  services: Flagging,
  userId: UserId,
  change: FlagChange,
  messages: readonly FlaggedMessage[],
): Promise<FlagResult> {
  const decide = (request: FlagsRequest) => submit(services, userId, decideFlags, request)
  return changeInParts(services, userId, { change, messages, decide })
}

/** The same, but fails if the user may no longer read a message; earlier changes stay. */
export async function changeFlagsOfReadable(
  services: Flagging,
  userId: UserId,
  change: FlagChange,
  found: readonly FoundMessage[],
): Promise<FlagResult> {
  const messages = found.map(({ message }) => message)
  const decide = (request: FlagsRequest) =>
    submit(services, userId, decideFlagsOfReadable, { ...request, found })
  return changeInParts(services, userId, { change, messages, decide })
}

interface Parts extends Omit<FlagsRequest, 'known'> {
  readonly decide: (request: FlagsRequest) => Promise<FlagOutcome>
}

async function changeInParts(
  { sql, readers }: Flagging,
  userId: UserId,
  { change, messages, decide }: Parts,
): Promise<FlagResult> {
  const outcomes: FlagOutcome[] = []
  const countMax = messagesPerChange(change)
  for (let start = 0; start < messages.length; start += countMax) {
    const some = messages.slice(start, start + countMax)
    const outcome = await decide({ messages: some, change, known: await readers.get(userId) })
    if (outcome.grown.length > 0) await moveMarks(sql, userId, outcome.grown)
    outcomes.push(outcome)
  }
  return {
    changed: outcomes.flatMap(({ changed }) => changed),
    ignored: outcomes.flatMap(({ ignored }) => ignored),
  }
}

/** The channels of messages, each once, ascending. */
export function channelIdsOf(messages: readonly FlaggedMessage[]): ChannelId[] {
  const ids = messages.flatMap(({ destination }) =>
    destination.kind === 'channel' ? [destination.channelId] : [],
  )
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Marks the unread messages of the topic as read; without a topic, of the whole channel. */
export async function markChannelRead(
  services: Flagging,
  userId: UserId,
  channelId: ChannelId,
  topic?: string,
): Promise<void> {
  const { sql, state } = services
  const unread = await readUnreadOfChannel(sql, { userId, asOf: state.appliedId }, channelId, topic)
  await changeFlags(services, userId, { op: 'add', flag: 'read' }, unread)
}
