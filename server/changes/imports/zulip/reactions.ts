/** The reactions of all messages: numbers only, since there may be millions. */

import { toText, type Fields } from '../fields.ts'
import type { ForeignReaction } from '../records.ts'

const START_LENGTH = 1_024

/** An emoji by its name, code and type there. */
interface Emoji {
  readonly name: string
  readonly code: string
  readonly type: string
}

export class Reactions {
  #messages = new Float64Array(START_LENGTH)
  #users = new Float64Array(START_LENGTH)
  #kinds = new Uint32Array(START_LENGTH)
  #length = 0
  /** The rows in the order of their messages. */
  #order: Uint32Array | undefined
  readonly #kindOf = new Map<string, number>()
  readonly #emoji: Emoji[] = []

  add(fields: Fields): void {
    const [message, user] = [Number(fields['message']), Number(fields['user_profile'])]
    if (!Number.isSafeInteger(message) || !Number.isSafeInteger(user)) return
    const emoji = {
      name: toText(fields['emoji_name']),
      code: toText(fields['emoji_code']),
      type: toText(fields['reaction_type']) || 'unicode_emoji',
    }
    // Codes of custom emoji are numbers of their server.
    const key = JSON.stringify([emoji.name, emoji.type, emoji.type === 'realm_emoji' ? '' : emoji.code])
    let kind = this.#kindOf.get(key)
    if (kind === undefined) {
      kind = this.#emoji.push(emoji) - 1
      this.#kindOf.set(key, kind)
    }
    if (this.#length === this.#messages.length) this.#grow()
    this.#messages[this.#length] = message
    this.#users[this.#length] = user
    this.#kinds[this.#length] = kind
    this.#length++
    this.#order = undefined
  }

  /** The reactions to one message. */
  of(message: number): ForeignReaction[] {
    const order = (this.#order ??= this.#sort())
    let low = 0
    for (let high = order.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((this.#messages[order[middle] as number] as number) < message) low = middle + 1
      else high = middle
    }
    const users = new Map<number, string[]>()
    for (let at = low; this.#messages[order[at] as number] === message; at++) {
      const row = order[at] as number
      const kind = this.#kinds[row] as number
      const known = users.get(kind) ?? []
      known.push(String(this.#users[row]))
      users.set(kind, known)
    }
    return [...users].map(([kind, ids]) => {
      const { name, code, type } = this.#emoji[kind] as Emoji
      return { name, users: ids, own: { code, type } }
    })
  }

  #sort(): Uint32Array {
    const messages = this.#messages
    return Uint32Array.from({ length: this.#length }, (_, row) => row).sort(
      (one, other) => (messages[one] as number) - (messages[other] as number) || one - other,
    )
  }

  #grow(): void {
    const grown = <Column extends Float64Array | Uint32Array>(column: Column, larger: Column) => {
      larger.set(column)
      return larger
    }
    const length = this.#length * 2
    this.#messages = grown(this.#messages, new Float64Array(length))
    this.#users = grown(this.#users, new Float64Array(length))
    this.#kinds = grown(this.#kinds, new Uint32Array(length))
  }
}
