/** Stars, collapsed messages and unread ones: the flags that people have on messages. */

import type { Fields } from '../fields.ts'
import type { ForeignUnread } from '../own/records.ts'
import { idOf, RowsOf } from './rows.ts'

/** Bits of a row. */
const [READ, STARRED, COLLAPSED] = [1, 2, 4]
/** Messages that are unread, held until they are handed on. */
const HELD_MAX = 10_000

/** The message and the person of a row that is for both. */
function pairOf(row: Fields): { readonly message: string; readonly user: string } | undefined {
  const [message, user] = [idOf(row['message']), idOf(row['user_profile'])]
  return message === undefined || user === undefined ? undefined : { message, user }
}

/** Stars, and what people collapsed: few of all messages. */
export class Marks {
  readonly #starred = new RowsOf<string>()
  readonly #collapsed = new RowsOf<string>()

  note(row: Fields): void {
    const [pair, flags] = [pairOf(row), Number(row['flags_mask'])]
    if (!pair) return
    if ((flags & STARRED) !== 0) this.#starred.add(pair.message, pair.user)
    if ((flags & COLLAPSED) !== 0) this.#collapsed.add(pair.message, pair.user)
  }

  of(message: string) {
    return { starredBy: this.#starred.of(message), collapsedBy: this.#collapsed.of(message) }
  }
}

/** Gathers unread messages by people and places. */
export class Unread {
  #held = new Map<string, ForeignUnread & { readonly messages: string[] }>()
  #count = 0

  /** Holds a message if it is unread; whether there are so many that they should be taken. */
  add(row: Fields, placeOf: (message: string) => string | undefined): boolean {
    const pair = pairOf(row)
    const flags = row['flags_mask']
    if (!pair || typeof flags !== 'number' || (flags & READ) !== 0) return false
    const place = placeOf(pair.message)
    if (place === undefined) return false
    const key = `${pair.user} ${place}`
    const known = this.#held.get(key)
    if (known) known.messages.push(pair.message)
    else this.#held.set(key, { user: pair.user, place, messages: [pair.message] })
    return ++this.#count >= HELD_MAX
  }

  /** All that is held; nothing is then. */
  take(): Iterable<ForeignUnread> {
    const taken = this.#held.values()
    this.#held = new Map()
    this.#count = 0
    return taken
  }
}
