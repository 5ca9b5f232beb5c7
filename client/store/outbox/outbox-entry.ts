/** Messages on their way to the server, and the pure steps between their phases. */

import { t } from '../../texts/texts.ts'

/** The destination of a message. */
export type Destination =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }

/** A message as a person typed it. */
export interface Draft {
  readonly to: Destination
  readonly content: string
}

/** The server knows a message by its mark: both ids together. It stores a second message with the same mark never. */
export interface Mark {
  readonly queueId: string
  readonly localId: string
}

/** One message; a mark belongs to it from the first attempt on, also after another registration. */
export interface OutboxEntry extends Draft, Mark {
  /** Milliseconds of the clock when it was typed: the order of sending. */
  readonly typedAtMs: number
  /** The first attempt; undefined before it. */
  readonly triedAtMs?: number
  /** The newest message that was known then: the message of this entry is newer. */
  readonly afterId?: number
  readonly phase: Phase
}

/** A stored entry is `waiting` or `failed`. */
export type Phase =
  | { readonly name: 'waiting' }
  /** The server has it; it is shown until its message arrives. */
  | { readonly name: 'sent'; readonly messageId: number }
  /** The server refused it, or the attempts have taken too long. It may be edited, sent again or discarded. */
  | { readonly name: 'failed'; readonly reason: string; readonly mayBeSent: boolean }

/**
 * The server forgets marks after eight days. A later attempt could send a second message, so a person decides then; a
 * day is left for wrong clocks.
 */
const TRY_MS_MAX = 7 * 24 * 3_600_000

const WAITING: Phase = { name: 'waiting' }

export function enter(draft: Draft, mark: Mark, nowMs: number): OutboxEntry {
  return { to: draft.to, content: draft.content, ...mark, typedAtMs: nowMs, phase: WAITING }
}

/** Before an attempt: the entry must be stored like this first. A stale entry fails instead. */
export function attempt(entry: OutboxEntry, nowMs: number, newestId: number): OutboxEntry {
  const { triedAtMs = nowMs, afterId = newestId } = entry
  if (nowMs - triedAtMs > TRY_MS_MAX)
    return {
      ...entry,
      phase: { name: 'failed', reason: t('It’s unclear whether the message was sent.'), mayBeSent: true },
    }
  return { ...entry, triedAtMs, afterId }
}

export function succeed(entry: OutboxEntry, messageId: number): OutboxEntry {
  return { ...entry, phase: { name: 'sent', messageId } }
}

export function refuse(entry: OutboxEntry, reason: string): OutboxEntry {
  return { ...entry, phase: { name: 'failed', reason, mayBeSent: false } }
}

/**
 * Another attempt with a failed entry, perhaps with another text. A refused message was never stored, so its mark stays;
 * one that may have been sent needs a new mark, or its text would be taken for the former one.
 */
export function retry(entry: OutboxEntry, newMark: Mark, draft: Draft = entry): OutboxEntry {
  if (entry.phase.name !== 'failed') return entry
  const { triedAtMs: _, afterId: __, ...untried } = entry
  const { to, content } = draft
  return { ...untried, ...(entry.phase.mayBeSent ? newMark : {}), to, content, phase: WAITING }
}

/** Entries in the order of sending. */
export function inOrder(entries: readonly OutboxEntry[]): OutboxEntry[] {
  return entries.toSorted((a, b) => a.typedAtMs - b.typedAtMs || (a.localId < b.localId ? -1 : 1))
}
