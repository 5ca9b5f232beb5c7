/** The conversations of this process: each set of partners has an id and an order of sends. */

import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/connection/connect.ts'
import { findConversation, openConversation } from '../../db/unread/conversations.ts'
import type { ConversationId, UserId } from '../domain/ids.ts'
import { SendOrder } from './send-order.ts'
import { cacheBytes } from '../domain/cache-share.ts'

/** Bytes of the cached conversations; others are loaded again. Some 20,000 conversations of two. */
export const CONVERSATIONS_BYTES_MAX = cacheBytes(8)
/** Bytes of a conversation besides its users, and per character of their ids. */
const CONVERSATION_BYTES = 400
const BYTES_PER_KEY_CHARACTER = 4

/** One conversation. */
export interface Conversation {
  readonly id: ConversationId
  /** Sorted. */
  readonly userIds: readonly UserId[]
  readonly order: SendOrder
}

/** All conversations; those that were used longest ago are dropped first. */
export class Conversations {
  readonly #sql: Sql
  readonly #open = new LRUCache<string, Promise<Conversation>>({
    maxSize: CONVERSATIONS_BYTES_MAX,
    sizeCalculation: (_, key) => CONVERSATION_BYTES + BYTES_PER_KEY_CHARACTER * key.length,
  })

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The approximate bytes of all conversations. */
  get bytes(): number {
    return this.#open.calculatedSize
  }

  /** The conversation of these partners, in any order; the first call opens it. */
  async open(partnerIds: Iterable<UserId>): Promise<Conversation> {
    const userIds = sortPartners(partnerIds)
    const key = userIds.join(',')
    let opening = this.#open.get(key)
    if (!opening) this.#open.set(key, (opening = this.#load(userIds)))
    try {
      return await opening
    } catch (error) {
      this.#open.delete(key)
      throw error
    }
  }

  /** The id of these partners' conversation, if they have one. */
  async find(partnerIds: Iterable<UserId>): Promise<ConversationId | undefined> {
    const userIds = sortPartners(partnerIds)
    return (await this.#open.get(userIds.join(',')))?.id ?? findConversation(this.#sql, userIds)
  }

  async #load(userIds: readonly UserId[]): Promise<Conversation> {
    return { id: await openConversation(this.#sql, userIds), userIds, order: new SendOrder() }
  }
}

function sortPartners(partnerIds: Iterable<UserId>): UserId[] {
  return [...new Set(partnerIds)].sort((a, b) => a - b)
}
