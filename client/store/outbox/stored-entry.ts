/** A message on its way to the server, as the device stores it; the service worker puts some there, too. */

/** The destination of a message. */
export type Destination =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }

/** A message as a person typed it. */
export interface Draft {
  readonly to: Destination
  readonly content: string
}

/** The server knows a message by its mark: both ids together. It stores a second message with the same mark never. */
export interface Mark {
  readonly queueId: string
  readonly localId: string
}

/** One message; a mark belongs to it from the first attempt on, also after another registration. */
export interface OutboxEntry extends Draft, Mark {
  /** Milliseconds of the clock when it was typed: the order of sending. */
  readonly typedAtMs: number
  /** The first attempt; undefined before it. */
  readonly triedAtMs?: number
  /** The newest message that was known then: the message of this entry is newer. */
  readonly afterId?: number
  readonly phase: Phase
}

/** A stored entry is `waiting` or `failed`. */
export type Phase =
  | { readonly name: 'waiting' }
  /** The server has it; it is shown until its message arrives. */
  | { readonly name: 'sent'; readonly messageId: number }
  /** The server refused it, or the attempts have taken too long. It may be edited, sent again or discarded. */
  | { readonly name: 'failed'; readonly reason: string; readonly mayBeSent: boolean }
