/** The conversations of this process: each set of partners has an id and an order of sends. */

import type { Sql } from '../../db/connect.ts'
import { findConversation, openConversation } from '../../db/conversations.ts'
import type { ConversationId, UserId } from '../domain/ids.ts'
import { SendOrder } from './send-order.ts'

/** Conversations held; the others are looked up again. */
const CONVERSATIONS_MAX = 10_000

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

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The conversation of these partners, in any order; made at the first call. */
  async open(partnerIds: Iterable<UserId>): Promise<Conversation> {
    const userIds = sortPartners(partnerIds)
    const key = userIds.join(',')
    const opening = this.#open.get(key) ?? this.#load(userIds)
    this.#open.delete(key)
    this.#open.set(key, opening)
    if (this.#open.size > CONVERSATIONS_MAX) this.#open.delete(this.#open.keys().next().value as string)
    try {
      return await opening
    } catch (error) {
      this.#open.delete(key)
      throw error
    }
  }

  /** The id of the conversation of these partners, if they ever had one. */
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
