/** The pure steps between the phases of messages on their way to the server. */

import { t } from '../../texts/texts.ts'
import type { Draft, Mark, OutboxEntry, Phase } from './stored-entry.ts'

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
