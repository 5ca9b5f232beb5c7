/**
 * The people and places of an archive. A reader notes them in a first pass; messages and files are read when they are
 * wanted.
 */

import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import type {
  ForeignChannel,
  ForeignConversation,
  ForeignEmoji,
  ForeignFolder,
  ForeignGroup,
  ForeignLists,
  ForeignProfileField,
  ForeignUser,
  Loss,
  Names,
} from './records.ts'

/** Lists that a reader fills. Of two with the same id the first one counts, and the other one is reported. */
export class Lists implements ForeignLists {
  readonly users = new Map<string, ForeignUser>()
  readonly channels = new Map<string, ForeignChannel>()
  readonly conversations = new Map<string, ForeignConversation>()
  readonly groups = new Map<string, ForeignGroup>()
  readonly folders = new Map<string, ForeignFolder>()
  readonly profileFields = new Map<string, ForeignProfileField>()
  readonly emoji = new Map<string, ForeignEmoji>()
  /** By the ids of channels. */
  readonly #members = new Map<string, string[]>()
  /** Undefined if several have the name. */
  readonly #userOfName = new Map<string, string | undefined>()
  readonly #channelOfName = new Map<string, string>()
  readonly #lose: (loss: Loss) => void

  constructor(lose: (loss: Loss) => void) {
    this.#lose = lose
  }

  /** The address may be any text: what is none is left out. */
  addUser({ email, ...user }: Omit<ForeignUser, 'email'> & { readonly email: string }): void {
    const { id, name } = user
    if (id === '') return this.#lose({ place: undefined, reason: 'a user without an id', example: name })
    const address = email.trim()
    const isNew = this.#add(
      this.users,
      { ...user, email: isEmailAddress(address) ? address : undefined },
      'a user',
    )
    if (isNew) this.#userOfName.set(name, this.#userOfName.has(name) ? undefined : id)
  }

  addChannel(channel: ForeignChannel): void {
    const { id, name } = channel
    if (id === '') return this.#lose({ place: name, reason: 'a channel without an id', example: name })
    if (this.#add(this.channels, channel, 'a channel')) this.#channelOfName.set(name.toLowerCase(), id)
  }

  /** Every message may name its conversation, so repeats are none of the archive's faults. */
  addConversation(conversation: ForeignConversation): void {
    const { id, label, members } = conversation
    if (members.length === 0)
      return this.#lose({ place: label, reason: 'a conversation of nobody', example: id })
    if (!this.conversations.has(id)) this.conversations.set(id, conversation)
  }

  /** Notes a member of a channel or conversation, which may be listed later. */
  addMember(place: string, user: string): void {
    if (user === '') return
    const members = this.#members.get(place)
    if (members) members.push(user)
    else this.#members.set(place, [user])
  }

  /** The members that were noted; later ones appear in the same list. */
  membersOf(place: string): readonly string[] {
    const members = this.#members.get(place) ?? []
    if (members.length === 0) this.#members.set(place, members)
    return members
  }

  /** The name of a channel or conversation in the report. */
  labelOf(place: string): string | undefined {
    return this.channels.get(place)?.label ?? this.conversations.get(place)?.label
  }

  /** Finds what texts name that have names, and ids only for people of the same name. */
  byName(names: Names) {
    return {
      mention: (name: string, id: string | undefined) =>
        names.mention(id ?? this.#userOfName.get(name) ?? ''),
      channel: (name: string) => names.channel(this.#channelOfName.get(name.toLowerCase()) ?? ''),
      file: (path: string) => names.file?.(path),
    }
  }

  #add<Item extends { readonly id: string; readonly name: string }>(
    list: Map<string, Item>,
    item: Item,
    kind: string,
  ): boolean {
    const { id, name } = item
    const isNew = !list.has(id)
    if (isNew) list.set(id, item)
    else
      this.#lose({ place: undefined, reason: `${kind} whose id is there twice`, example: `${id}: ${name}` })
    return isNew
  }
}
