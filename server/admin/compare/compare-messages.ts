/** Compares the messages of two exports in one pass each: they are in the order of their ids, which an import keeps. */

import { createHash } from 'node:crypto'
import { type Fields, toText } from '../../changes/imports/fields.ts'
import type { Differences } from './differences.ts'
import { canonical } from './differences.ts'
import { nameRecord } from './name-record.ts'
import type { ExportNames } from './names.ts'
import type { OpenExport } from './open-export.ts'

/** Ids differ, also the message's own in its submessages, and so does the program: an import writes its own name. */
const LEFT_OUT: ReadonlySet<string> = new Set(['id', 'message_id', 'client'])
/** Bytes of a hash in a number: exact, and 48 bits are enough to tell messages apart. */
const HASH_BYTES = 6

/** An export and its names. */
export interface Named {
  readonly from: OpenExport
  readonly names: ExportNames
}

/** A message with names in place of ids. */
interface NamedMessage {
  readonly id: number
  readonly hash: number
  readonly record: Fields
}

/** Notes which message of the first export each of the second is; returns how many both have. */
export async function compareMessages(one: Named, other: Named, found: Differences): Promise<number> {
  const [hashes, otherHashes] = [await countHashes(one), await countHashes(other)]
  // Messages that wait for their like: none, unless the orders differ.
  const waiting = new Map<number, NamedMessage[]>()
  const rest = common(other, hashes, (message) => found.add(`${describe(message)}: only in the other`))
  let count = 0
  for await (const message of common(one, otherHashes, (lone) =>
    found.add(`${describe(lone)}: missing in the other`),
  )) {
    const like = waiting.get(message.hash)?.shift() ?? (await readUntil(rest, message.hash, waiting))
    if (!like) continue
    other.names.messages.set(like.id, message.id)
    one.names.messages.set(message.id, message.id)
    found.compare(describe(message), message.record, like.record)
    count++
  }
  for await (const _ of rest) continue // Messages that only the other export has.
  return count
}

async function readUntil(
  messages: AsyncGenerator<NamedMessage>,
  hash: number,
  waiting: Map<number, NamedMessage[]>,
): Promise<NamedMessage | undefined> {
  for (;;) {
    const { value, done } = await messages.next()
    if (done) return undefined
    if (value.hash === hash) return value
    waiting.set(value.hash, [...(waiting.get(value.hash) ?? []), value])
  }
}

/** The messages of which the other has as many; the others go to `onLone`. */
async function* common(
  named: Named,
  others: ReadonlyMap<number, number>,
  onLone: (message: NamedMessage) => void,
): AsyncGenerator<NamedMessage> {
  const left = new Map(others)
  for await (const message of readMessages(named)) {
    const count = left.get(message.hash) ?? 0
    if (count === 0) onLone(message)
    else {
      left.set(message.hash, count - 1)
      yield message
    }
  }
}

async function countHashes(named: Named): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for await (const { hash } of readMessages(named)) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  return counts
}

async function* readMessages({ from, names }: Named): AsyncGenerator<NamedMessage> {
  for await (const fields of from.list('messages')) {
    const record = nameRecord(fields, names, LEFT_OUT)
    const { channel_id: channel, user_ids: users, sender_id: sender, sent_at: sentAt, content } = record
    const identity = canonical([channel ?? users, sender, sentAt, content])
    const hash = createHash('sha256').update(identity).digest().readUIntBE(0, HASH_BYTES)
    yield { id: Number(fields['id']), hash, record }
  }
}

function describe({ record }: NamedMessage): string {
  const { channel_id: channel, topic, user_ids: users, sent_at: sentAt, sender_id: sender } = record
  const place = channel === undefined ? `of ${String(users)}` : `in ${toText(channel)} > ${toText(topic)}`
  return `message ${place} by ${String(sender)} at ${String(sentAt)}`
}
