/** Searches messages through the index, or, if it does not help, by scanning the reader's messages. */

import { type Message, textLengthOf } from '../../server/domain/entities.ts'
import { placeTerm } from '../../server/domain/search/search-terms.ts'
import type { Sql } from '../connection/connect.ts'
import { CHUNK_LENGTH, type MessageRun, readChunk } from '../messages/message-chunks.ts'
import { matchInTurns } from './match-in-turns.ts'
import { matchingFilter } from '../messages/message-filter.ts'
import { findOwnLeader, idsOfOwn } from '../messages/message-properties.ts'
import { allowed, isNarrowed, type MessageQuery } from '../messages/message-query.ts'
import { type Direction, idsInRanges } from '../messages/message-ranges.ts'
import { columns, type Row, toMessage } from '../messages/message-rows.ts'
import { SearchCandidates } from './search-candidates.ts'
import { beginSearch } from './search-first.ts'
import type { TermGroup } from './search-postings.ts'
import { textFilter } from './search-text-filter.ts'

/** Messages that one search compares: some tens of milliseconds. The matches until then form a page. */
const COMPARED_MAX = 4_000
/** Ids whose texts the database compares in one statement: a few milliseconds. */
const SPAN_LENGTH = 2_000
/** Candidates whose text alone is read in one statement, if few of them match. */
const TEXTS_LENGTH = 1_000
/** Unindexed ids up to which a scan by id, for all recipients, is fast. */
const NEW_IDS_MAX = 4_000
/** Matches of one run whose words still need highlighting. */
const FOUND_MAX = 1_000
/** The same in characters of content and HTML. */
export const FOUND_TEXT_LENGTH_MAX = 1_000_000
/** If fewer than one candidate in this many matches, the search also looks up the reader's own places. */
const SPARSE = 4
/** Conversations to look up in the index. */
const CONVERSATIONS_MAX = 1_000

/** A search that would compare too many messages before its first match. */
export class SearchTooBroadError extends Error {
  override readonly name = 'SearchTooBroadError'
}

/** The request for a search. */
export interface SearchRequest {
  readonly query: MessageQuery
  readonly direction: Direction
  readonly fromId: number
  /** Requested messages; the result has fewer if there are no more, or if the search is broad. */
  readonly count: number
  /** Another condition on the messages. */
  readonly accepts?: (message: Message) => boolean
}

/** Finds messages; rejects with a `SearchTooBroadError` if too many were compared before the first match. */
export async function searchMessages(sql: Sql, request: SearchRequest): Promise<MessageRun> {
  const run = new SearchRun(sql, request)
  const isComplete = await run.find()
  if (!isComplete && run.found.length === 0) throw new SearchTooBroadError('too many messages to compare')
  return { messages: run.found, isComplete }
}

/** Ids, both inclusive. */
interface Bounds {
  readonly low: number
  readonly high: number
}

/** Each step returns whether the search continues. */
class SearchRun {
  readonly found: Message[] = []
  readonly #sql: Sql
  readonly #request: SearchRequest
  /** The query that the database evaluates. */
  readonly #query: MessageQuery
  readonly #matches: ReturnType<typeof matchInTurns>
  readonly #count: number
  readonly #texts: ReturnType<typeof textFilter>
  #candidates: SearchCandidates | undefined
  #hasPlaces = false
  #comparedCount = 0
  #foundTextLength = 0

  constructor(sql: Sql, request: SearchRequest) {
    const { query } = request
    this.#sql = sql
    this.#request = request
    this.#query = { ...query, filter: { ...query.filter, searches: [] } }
    this.#matches = matchInTurns(query.filter.searches)
    this.#texts = textFilter(sql, query.filter.searches)
    this.#count = Math.min(request.count, FOUND_MAX)
  }

  /** Returns whether all messages were searched. */
  async find(): Promise<boolean> {
    const { query, direction, fromId } = this.#request
    const { filter, reader } = query
    if (filter.isNothing) return true
    const isBefore = direction === 'before'
    const asked = isBefore
      ? { low: 1, high: Math.min(fromId, reader.asOf) }
      : { low: fromId, high: reader.asOf }
    if (asked.low > asked.high) return true
    const words = filter.searches.filter(({ isNegated }) => !isNegated).flatMap((search) => search.words)
    if (words.length === 0 || filter.onlyId !== undefined) return this.#lookThrough(asked)
    const first = await beginSearch(this.#sql, words, this.#namedPlaces(), { ...asked, direction })
    if (first.groups.length === 0) return this.#lookThrough(asked)
    this.#candidates = new SearchCandidates(this.#sql, first, direction)
    const { throughId, newestId } = first
    const indexed = { low: asked.low, high: Math.min(asked.high, throughId) }
    const fresh = { low: Math.max(asked.low, throughId + 1), high: Math.min(asked.high, newestId) }
    if (isBefore) return (await this.#lookThroughNew(fresh)) && this.#findIndexed(indexed)
    return (await this.#findIndexed(indexed)) && this.#lookThroughNew(fresh)
  }

  /** A place or a sender in the narrow is a term like any other. */
  #namedPlaces(): TermGroup[] {
    const { channelId, conversationId, senderId } = this.#query.filter
    this.#hasPlaces = channelId !== undefined || conversationId !== undefined
    return [
      ...(channelId === undefined ? [] : [[placeTerm('channel', channelId)]]),
      ...(conversationId === undefined ? [] : [[placeTerm('conversation', conversationId)]]),
      ...(senderId === undefined ? [] : [[placeTerm('sender', senderId)]]),
    ]
  }

  /** Searches the indexed messages. */
  async #findIndexed(bounds: Bounds): Promise<boolean> {
    for await (const window of (this.#candidates as SearchCandidates).windows(bounds))
      if (!(await this.#compareAll(await this.#keepOwn(window.ids, window)))) return false
    return true
  }

  /** Compares candidates. If few of them match, narrows them down through the index. */
  async #compareAll(ids: readonly number[]): Promise<boolean> {
    let isSparse = false
    for (let start = 0; start < ids.length; ) {
      const places = isSparse ? await this.#findReadablePlaces() : undefined
      if (places && this.#candidates) {
        for await (const narrowed of this.#candidates.narrow(ids.slice(start), places))
          if (!(await this.#compareAll(narrowed))) return false
        return true
      }
      // One more than requested shows whether there are more; some may have changed since they were indexed.
      const wanted = Math.min(CHUNK_LENGTH, this.#count - this.found.length + 8)
      const batch = ids.slice(start, start + (isSparse ? TEXTS_LENGTH : wanted))
      start += batch.length
      const before = this.found.length
      if (!(await this.#compare(batch)) || !this.#mayCompareOn(batch.length)) return false
      isSparse = (this.found.length - before) * SPARSE < batch.length
    }
    return true
  }

  /** Compares some messages, few of which may match. */
  async #compare(ids: readonly number[]): Promise<boolean> {
    const likely = ids.length > CHUNK_LENGTH && !this.#texts ? await this.#compareTexts(ids) : ids
    for (let left = likely; left.length > 0; ) {
      const rows = await this.#read(left)
      if (!(await this.#take(rows.map(toMessage)))) return false
      if (rows.length < CHUNK_LENGTH) return true
      left = left.slice(left.indexOf((rows.at(-1) as Row).id) + 1)
    }
    return true
  }

  /** Searches messages that are not indexed yet. */
  async #lookThroughNew(range: Bounds): Promise<boolean> {
    const { low, high } = range
    if (low > high) return true
    if (high - low > NEW_IDS_MAX) return this.#lookThrough(range)
    return this.#takeRange(range)
  }

  /** Scans the reader's messages in a range. */
  async #lookThrough({ low, high }: Bounds): Promise<boolean> {
    const { direction } = this.#request
    const isBefore = direction === 'before'
    // Most searches that reach this point are for common words.
    let length = Math.min(CHUNK_LENGTH, 2 * this.#count + 8)
    for (let fromId = isBefore ? high : low; ; length = CHUNK_LENGTH) {
      const chunk = await readChunk(this.#sql, this.#query, { direction, fromId, count: length })
      const inside = chunk.filter(({ id }) => id >= low && id <= high)
      if (!(await this.#take(inside)) || !this.#mayCompareOn(chunk.length)) return false
      if (chunk.length < length || inside.length < chunk.length) return true
      const { id } = chunk.at(-1) as Message
      const isDense = Math.abs(id - fromId) < SPARSE * chunk.length
      fromId = id + (isBefore ? -1 : 1)
      if (this.#texts)
        return this.#lookThroughTexts(isBefore ? { low, high: fromId } : { low: fromId, high }, isDense)
    }
  }

  /** Scans the rest of it; the database excludes most messages that do not match. */
  async #lookThroughTexts({ low, high }: Bounds, isDense: boolean): Promise<boolean> {
    const { direction } = this.#request
    const isBefore = direction === 'before'
    // The reader received most of these messages, so a lookup of ids is unnecessary.
    const isByIds = isDense && !isNarrowed(this.#query)
    for (let fromId = isBefore ? high : low; fromId >= low && fromId <= high; ) {
      const until = isBefore
        ? Math.max(low, fromId - SPAN_LENGTH + 1)
        : Math.min(high, fromId + SPAN_LENGTH - 1)
      if (isByIds) {
        const range = { low: Math.min(fromId, until), high: Math.max(fromId, until) }
        if (!(await this.#takeRange(range)) || !this.#mayCompareOn(Math.abs(until - fromId) + 1)) return false
        fromId = until + (isBefore ? -1 : 1)
        continue
      }
      const rows = await this.#sql<{ id: number }[]>`
        ${idsInRanges(this.#sql, this.#query, { direction, fromId, count: TEXTS_LENGTH })}`
      const ids = rows.map(({ id }) => id).filter((id) => id >= low && id <= high)
      if (!(await this.#compare(ids)) || !this.#mayCompareOn(ids.length)) return false
      if (ids.length < TEXTS_LENGTH) return true
      fromId = (ids.at(-1) as number) + (isBefore ? -1 : 1)
    }
    return true
  }

  /** Takes the matching messages of a range of ids. */
  async #takeRange({ low, high }: Bounds): Promise<boolean> {
    const isBefore = this.#request.direction === 'before'
    for (let [from, until] = [low, high]; ; ) {
      const rows = await this.#sql<Row[]>`
        select ${columns(this.#sql)} from messages m where m.id between ${from} and ${until} and ${this.#readable()}
        order by m.id ${isBefore ? this.#sql`desc` : this.#sql`asc`} limit ${CHUNK_LENGTH}`
      if (!(await this.#take(rows.map(toMessage)))) return false
      if (rows.length < CHUNK_LENGTH) return true
      const { id } = rows.at(-1) as Row
      if (isBefore) until = id - 1
      else from = id + 1
    }
  }

  /** Whether the search may compare more. */
  #mayCompareOn(compared: number): boolean {
    this.#comparedCount += compared
    return this.#comparedCount < COMPARED_MAX
  }

  /** Keeps matching messages; returns whether more are needed. */
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

  async #read(ids: readonly number[]): Promise<Row[]> {
    const rows = await this.#sql<Row[]>`
      select ${columns(this.#sql)} from messages m where m.id = any(${[...ids]}::bigint[]) and ${this.#readable()}
      order by m.id ${this.#request.direction === 'before' ? this.#sql`desc` : this.#sql`asc`} limit ${CHUNK_LENGTH}`
    return rows
  }

  /** The filter, the rights, and the part of the words that the database compares. */
  #readable() {
    const { reader, filter } = this.#query
    const sql = this.#sql
    return sql`m.id <= ${reader.asOf} and ${this.#texts ?? sql`true`} and ${matchingFilter(sql, filter)}
      and ${allowed(sql, reader)}`
  }

  /** The candidates with a property that few of the reader's messages have. */
  async #keepOwn(ids: readonly number[], { low, high }: Bounds): Promise<readonly number[]> {
    const own = findOwnLeader(this.#query.filter)
    if (!own || ids.length === 0) return ids
    const { userId } = this.#query.reader
    const rows = await this.#sql<
      { id: number }[]
    >`${idsOfOwn(this.#sql, own, userId, { low: low - 1, high })}`
    const owned = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => owned.has(id))
  }

  /** The reader's places as terms of the index, loaded once; undefined if they do not help. */
  async #findReadablePlaces(): Promise<TermGroup | undefined> {
    if (this.#hasPlaces) return undefined
    this.#hasPlaces = true
    const { userId, readableChannelIds, openChannelIds = [] } = this.#query.reader
    const conversations = await this.#sql<{ id: number }[]>`
      select id from conversations where user_ids @> array[${userId}::int] limit ${CONVERSATIONS_MAX + 1}`
    if (conversations.length > CONVERSATIONS_MAX) return undefined
    const channelIds = new Set([...readableChannelIds, ...openChannelIds])
    return [
      ...[...channelIds].map((id) => placeTerm('channel', id)),
      ...conversations.map(({ id }) => placeTerm('conversation', id)),
    ]
  }
}
