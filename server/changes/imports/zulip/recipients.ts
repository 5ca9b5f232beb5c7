/** Recipients of Zulip: a person, a channel, or a group of people. */

import type { Fields } from '../fields.ts'
import type { ForeignConversation } from '../records.ts'
import { idOf } from './rows.ts'

const [PERSON, CHANNEL] = [1, 2]

/** A channel, or a conversation with its people. */
export type Place = ForeignConversation & { readonly isChannel?: true }

/** A recipient: its kind, and the id of the person, channel or group. */
interface Recipient {
  readonly type: number
  readonly id: string
}

export class Recipients {
  readonly #all = new Map<string, Recipient>()
  readonly #ofChannels = new Map<string, string>()
  readonly #membersOf: (recipient: string) => readonly string[]

  /** `membersOf` answers the members of a group of people. */
  constructor(membersOf: (recipient: string) => readonly string[]) {
    this.#membersOf = membersOf
  }

  note(fields: Fields): void {
    const recipientId = idOf(fields['id']) ?? ''
    const [type, id] = [Number(fields['type']), idOf(fields['type_id']) ?? '']
    this.#all.set(recipientId, { type, id })
    if (type === CHANNEL) this.#ofChannels.set(id, recipientId)
  }

  /** The recipient that a channel is. */
  ofChannel(channel: string): string | undefined {
    return this.#ofChannels.get(channel)
  }

  /** The channel that a recipient is. */
  channelOf(recipientId: string | undefined): string | undefined {
    const recipient = this.#all.get(recipientId ?? '')
    return recipient?.type === CHANNEL ? recipient.id : undefined
  }

  /** The place of a message from a sender; undefined if nobody knows the recipient. */
  placeOf(recipientId: string | undefined, sender: string | undefined): Place | undefined {
    const recipient = this.#all.get(recipientId ?? '')
    if (!recipient || recipientId === undefined) return undefined
    if (recipient.type === CHANNEL)
      return { id: recipient.id, label: recipient.id, members: [], isChannel: true }
    const others = recipient.type === PERSON ? [recipient.id] : this.#membersOf(recipientId)
    const members = [...new Set([...others, sender ?? ''])].sort((one, other) => Number(one) - Number(other))
    const id = `direct: ${members.join(', ')}`
    return { id, label: id, members }
  }
}
