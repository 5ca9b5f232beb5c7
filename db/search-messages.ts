/** Searching messages: by the index and, where it does not help, by looking through what the reader received. */

import { type Message, textLengthOf } from '../server/domain/entities.ts'
import { placeTerm } from '../server/domain/search-terms.ts'
import type { Sql } from './connect.ts'
import { CHUNK_LENGTH, type MessageRun, readChunk } from './message-chunks.ts'
import { matchInTurns } from './match-in-turns.ts'
import { matchingFilter } from './message-filter.ts'
import { findOwnLeader, idsOfOwn } from './message-properties.ts'
import { allowed, type MessageQuery } from './message-query.ts'
import type { Direction } from './message-ranges.ts'
import { columns, type Row, toMessage } from './message-rows.ts'
import { findCandidates } from './search-candidates.ts'
import { findTerms } from './search-words.ts'

/** Messages that one search compares: some tens of milliseconds. What it found until then is a page of its own. */
const COMPARED_MAX = 4_000
/** Candidates whose text alone is read at a time, where few of them are found. */
const TEXTS_LENGTH = 1_000
/** Ids that the index lacks, few enough to be read by their order, whoever received them. */
const NEW_IDS_MAX = 4_000
/** Found messages of one run, in which the words are still to be marked. */
const FOUND_MAX = 1_000
/** The same in characters of content and HTML. */
export const FOUND_TEXT_LENGTH_MAX = 1_000_000
/** Where fewer than one candidate in so many is found, the index is asked for the reader's own places, too. */
const SPARSE = 4
/** Conversations that the index is asked for. */
const CONVERSATIONS_MAX = 1_000

/** A search that would have to compare too many messages before it finds one. */
export class SearchTooBroadError extends Error {
  override readonly name = 'SearchTooBroadError'
}

/** What is searched, and where. */
export interface SearchRequest {
  readonly query: MessageQuery
  readonly direction: Direction
  readonly fromId: number
  /** Messages that are wanted; fewer come where there are no more, or where the search is broad. */
  readonly count: number
  /** Another condition of the messages. */
  readonly accepts?: (message: Message) => boolean
}

/** Finds messages; rejects with a `SearchTooBroadError` where too many were compared before one was found. */
export async function searchMessages(sql: Sql, request: SearchRequest): Promise<MessageRun> {
  const run = new SearchRun(sql, request)
  const isComplete = await run.find()
  if (!isComplete && run.found.length === 0) throw new SearchTooBroadError('too many messages to compare')
  return { messages: run.found, isComplete }
}

/** Ids, both included. */
interface Bounds {
  readonly low: number
  readonly high: number
}

/** Steps answer whether the search goes on. */
class SearchRun {
  readonly found: Message[] = []
  readonly #sql: Sql
  readonly #request: SearchRequest
  /** What the database compares. */
  readonly #query: MessageQuery
  readonly #matches: ReturnType<typeof matchInTurns>
  readonly #count: number
  #groups: readonly (readonly number[])[] = []
  #hasPlaces = false
  #comparedCount = 0
  #foundTextLength = 0

  constructor(sql: Sql, request: SearchRequest) {
    const { query } = request
    this.#sql = sql
    this.#request = request
    this.#query = { ...query, filter: { ...query.filter, searches: [] } }
    this.#matches = matchInTurns(query.filter.searches)
    this.#count = Math.min(request.count, FOUND_MAX)
  }

  /** Answers whether all messages were looked at. */
  async find(): Promise<boolean> {
    const { query, direction, fromId } = this.#request
    const { filter, reader } = query
    if (filter.isNothing) return true
    const isBefore = direction === 'before'
    const asked = isBefore
      ? { low: 1, high: Math.min(fromId, reader.asOf) }
      : { low: fromId, high: reader.asOf }
    const words = filter.searches.filter(({ isNegated }) => !isNegated).flatMap((search) => search.words)
    if (words.length === 0 || filter.onlyId !== undefined) return this.#lookThrough(asked)
    const { throughId, newestId, groups } = await findTerms(this.#sql, words)
    if (groups.length === 0) return this.#lookThrough(asked)
    this.#groups = [...groups, ...this.#namedPlaces()]
    const indexed = { low: asked.low, high: Math.min(asked.high, throughId) }
    const fresh = { low: Math.max(asked.low, throughId + 1), high: Math.min(asked.high, newestId) }
    if (isBefore) return (await this.#lookThroughNew(fresh)) && this.#findIndexed(indexed)
    return (await this.#findIndexed(indexed)) && this.#lookThroughNew(fresh)
  }

  /** A narrow to a place or a sender is a term like any other. */
  #namedPlaces(): (readonly number[])[] {
    const { channelId, conversationId, senderId } = this.#query.filter
    this.#hasPlaces = channelId !== undefined || conversationId !== undefined
    return [
      ...(channelId === undefined ? [] : [[placeTerm('channel', channelId)]]),
      ...(conversationId === undefined ? [] : [[placeTerm('conversation', conversationId)]]),
      ...(senderId === undefined ? [] : [[placeTerm('sender', senderId)]]),
    ]
  }

  /** What the index leads to. */
  async #findIndexed(bounds: Bounds): Promise<boolean> {
    const { direction } = this.#request
    for (let left: Bounds | undefined = bounds; left; ) {
      let rest: Bounds | undefined
      for await (const window of findCandidates(this.#sql, this.#groups, direction, left)) {
        const ids = await this.#keepOwn(window.ids, window)
        const doneId = await this.#compareAll(ids)
        if (doneId === 'ended') return false
        if (doneId === undefined) continue
        rest = direction === 'before' ? { ...left, high: doneId - 1 } : { ...left, low: doneId + 1 }
        break
      }
      left = rest
    }
    return true
  }

  /** Compares candidates; answers the last one's id where the rest had better be asked for anew, with the reader's places. */
  async #compareAll(ids: readonly number[]): Promise<number | 'ended' | undefined> {
    let isSparse = false
    for (let start = 0; start < ids.length; ) {
      // One more than wanted tells whether there are more; some may have changed since they were indexed.
      const wanted = Math.min(CHUNK_LENGTH, this.#count - this.found.length + 8)
      const batch = ids.slice(start, start + (isSparse ? TEXTS_LENGTH : wanted))
      start += batch.length
      const before = this.found.length
      const likely = isSparse ? await this.#compareTexts(batch) : batch
      for (let at = 0; at < likely.length; at += CHUNK_LENGTH)
        if (!(await this.#take(await this.#read(likely.slice(at, at + CHUNK_LENGTH))))) return 'ended'
      if (!this.#mayCompareOn(batch.length)) return 'ended'
      isSparse = (this.found.length - before) * SPARSE < batch.length
      if (isSparse && start < ids.length && (await this.#addReadablePlaces())) return batch.at(-1)
    }
    return undefined
  }

  /** Messages that the index lacks. */
  async #lookThroughNew({ low, high }: Bounds): Promise<boolean> {
    if (low > high) return true
    if (high - low > NEW_IDS_MAX) return this.#lookThrough({ low, high })
    const isBefore = this.#request.direction === 'before'
    for (let [from, until] = [low, high]; ; ) {
      const rows = await this.#sql<Row[]>`
        select ${columns(this.#sql)} from messages m where m.id between ${from} and ${until} and ${this.#readable()}
        order by m.id ${isBefore ? this.#sql`desc` : this.#sql`asc`} limit ${CHUNK_LENGTH}`
      if (!(await this.#take(rows.map(toMessage))) || !this.#mayCompareOn(rows.length)) return false
      if (rows.length < CHUNK_LENGTH) return true
      const { id } = rows.at(-1) as Row
      if (isBefore) until = id - 1
      else from = id + 1
    }
  }

  /** All that the reader received there. */
  async #lookThrough({ low, high }: Bounds): Promise<boolean> {
    const isBefore = this.#request.direction === 'before'
    // Most searches that get here are for something common.
    let length = Math.min(CHUNK_LENGTH, 2 * this.#count + 8)
    for (let fromId = isBefore ? high : low; ; length = CHUNK_LENGTH) {
      const chunk = await readChunk(this.#sql, this.#query, this.#request.direction, fromId, length)
      const inside = chunk.filter(({ id }) => id >= low && id <= high)
      if (!(await this.#take(inside)) || !this.#mayCompareOn(chunk.length)) return false
      if (chunk.length < length || inside.length < chunk.length) return true
      fromId = (chunk.at(-1) as Message).id + (isBefore ? -1 : 1)
    }
  }

  /** Whether more may be compared. */
  #mayCompareOn(compared: number): boolean {
    this.#comparedCount += compared
    return this.#comparedCount < COMPARED_MAX
  }

  /** Keeps the messages that match; answers whether more are wanted. */
  async #take(messages: readonly Message[]): Promise<boolean> {
    const { accepts = () => true } = this.#request
    for (const message of messages) {
      const topic = message.destination.kind === 'channel' ? message.destination.topic : ''
      if (!(await this.#matches(topic, message.content)) || !accepts(message)) continue
      this.#foundTextLength += textLengthOf(message)
      const isTooLong = this.#foundTextLength > FOUND_TEXT_LENGTH_MAX && this.found.length > 0
      if (this.found.length === this.#count || isTooLong) return false
      this.found.push(message)
    }
    return true
  }

  async #compareTexts(ids: readonly number[]): Promise<number[]> {
    const rows = await this.#sql<{ id: number; topic: string; content: string }[]>`
      select m.id, m.topic, m.content from messages m where m.id = any(${[...ids]}::bigint[]) and ${this.#readable()}
      order by m.id ${this.#request.direction === 'before' ? this.#sql`desc` : this.#sql`asc`}`
    const matching: number[] = []
    for (const { id, topic, content } of rows) if (await this.#matches(topic, content)) matching.push(id)
    return matching
  }

  async #read(ids: readonly number[]): Promise<Message[]> {
    const rows = await this.#sql<Row[]>`
      select ${columns(this.#sql)} from messages m where m.id = any(${[...ids]}::bigint[]) and ${this.#readable()}
      order by m.id ${this.#request.direction === 'before' ? this.#sql`desc` : this.#sql`asc`}`
    return rows.map(toMessage)
  }

  /** The filter and the rights. */
  #readable() {
    const { reader, filter } = this.#query
    return this
      .#sql`m.id <= ${reader.asOf} and ${allowed(this.#sql, reader)} and ${matchingFilter(this.#sql, filter)}`
  }

  /** Of candidates those with a property that the reader has few messages of. */
  async #keepOwn(ids: readonly number[], { low, high }: Bounds): Promise<readonly number[]> {
    const own = findOwnLeader(this.#query.filter)
    if (!own || ids.length === 0) return ids
    const { userId } = this.#query.reader
    const rows = await this.#sql<{ id: number }[]>`${idsOfOwn(this.#sql, own, userId, low - 1, high)}`
    const kept = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => kept.has(id))
  }

  /** Has the index find messages of the reader's places alone; answers whether that is new. */
  async #addReadablePlaces(): Promise<boolean> {
    if (this.#hasPlaces) return false
    this.#hasPlaces = true
    const { userId, readableChannelIds, openChannelIds = [] } = this.#query.reader
    const conversations = await this.#sql<{ id: number }[]>`
      select id from conversations where user_ids @> array[${userId}::int] limit ${CONVERSATIONS_MAX + 1}`
    if (conversations.length > CONVERSATIONS_MAX) return false
    const channelIds = new Set([...readableChannelIds, ...openChannelIds])
    this.#groups = [
      ...this.#groups,
      [
        ...[...channelIds].map((id) => placeTerm('channel', id)),
        ...conversations.map(({ id }) => placeTerm('conversation', id)),
      ],
    ]
    return true
  }
}
