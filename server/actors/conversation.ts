/** The conversations of this process: each set of partners has an id and an order of sends. */

import type { Sql } from '../../db/connect.ts'
import { findConversation, openConversation } from '../../db/conversations.ts'
import type { ConversationId, UserId } from '../domain/ids.ts'
import { SendOrder } from './send-order.ts'

/** Bytes of the conversations that are held; the others are looked up again. Of two people, some 20,000. */
export const CONVERSATIONS_BYTES_MAX = 8 * 1024 * 1024
/** What a conversation takes besides its people, and what for each character of their ids. */
const CONVERSATION_BYTES = 400
const BYTES_PER_KEY_CHARACTER = 4

/** One conversation. */
export interface Conversation {
  readonly id: ConversationId
  /** Sorted. */
  readonly userIds: readonly UserId[]
  readonly order: SendOrder
}

/** All conversations, the least recently used given up first. */
export class Conversations {
  readonly #sql: Sql
  readonly #open = new Map<string, Promise<Conversation>>()
  #bytes = 0

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The conversation of these partners, in any order; made at the first call. */
  async open(partnerIds: Iterable<UserId>): Promise<Conversation> {
    const userIds = sortPartners(partnerIds)
    const key = userIds.join(',')
    const opening = this.#open.get(key) ?? this.#load(userIds)
    this.#forget(key)
    this.#open.set(key, opening)
    this.#bytes += bytesOf(key)
    for (const oldest of this.#open.keys()) {
      if (this.#bytes <= CONVERSATIONS_BYTES_MAX) break
      this.#forget(oldest)
    }
    try {
      return await opening
    } catch (error) {
      this.#forget(key)
      throw error
    }
  }

  /** The id of the conversation of these partners, if they ever had one. */
  async find(partnerIds: Iterable<UserId>): Promise<ConversationId | undefined> {
    const userIds = sortPartners(partnerIds)
    return (await this.#open.get(userIds.join(',')))?.id ?? findConversation(this.#sql, userIds)
  }

  #forget(key: string): void {
    if (this.#open.delete(key)) this.#bytes -= bytesOf(key)
  }

  async #load(userIds: readonly UserId[]): Promise<Conversation> {
    return { id: await openConversation(this.#sql, userIds), userIds, order: new SendOrder() }
  }
}

/** Bytes of the conversation under a key, about. */
function bytesOf(key: string): number {
  return CONVERSATION_BYTES + BYTES_PER_KEY_CHARACTER * key.length
}

function sortPartners(partnerIds: Iterable<UserId>): UserId[] {
  return [...new Set(partnerIds)].sort((a, b) => a - b)
}
