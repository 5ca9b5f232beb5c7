/** Integrations: how the webhooks of other systems become messages. Each is a pure function in a file of its own. */

import type { SignatureCheck, SignedPart } from './signatures.ts'

/** A webhook as it arrived. */
export interface Delivery extends SignedPart {
  /** The JSON of the body, the fields of a form, or its text; see `takes`. */
  readonly payload: unknown
  /** The time of its arrival, in UNIX seconds. */
  readonly now: number
}

/** The message of a delivery. */
export interface Posting {
  /** One of `events`; empty if the integration has none. */
  readonly event: string
  /** Plain text of any length: the server trims and cuts it. */
  readonly topic: string
  /** Markdown of any length. Texts of others go through `plain`, `code`, `quoted` or `fenced`. */
  readonly content: string
}

/** An event that the integration does not post. */
export interface Unsupported {
  readonly unsupported: string
}

/** Why a webhook is refused: it cannot be read or has no text, its key or signature is wrong, or the bot may not post. */
export type Refusal = 'unreadable' | 'empty' | 'unproven' | 'forbidden'

/** An answer without JSON, in plain text. */
export interface TextAnswer {
  readonly status: number
  readonly text: string
}

export interface Integration {
  /** The last part of the address. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** `json`: JSON, or a form whose field `payload` is JSON. `text`: any body. */
  readonly takes: 'json' | 'text'
  /** Names of the events that it posts, for the filters of the address. */
  readonly events: readonly string[]
  /** Headers of the sender that it reads, in lower case. */
  readonly headers: readonly string[]
  /** How the sender proves that it knows the bot's secret; left out for `Authorization: Bearer`. */
  readonly signature?: SignatureCheck
  /** A text that all retries of a delivery share; empty if there is none. */
  readonly deliveryId?: (delivery: Delivery) => string
  /** Texts that its senders expect instead of the JSON of the API. */
  readonly answers?: Readonly<Record<Refusal | 'posted', TextAnswer>>
  /** Whether the sender escapes the parameters of its address twice. */
  readonly escapesTwice?: true
  /** Throws an `UnreadablePayload` if the payload lacks something that no message can do without. */
  read(delivery: Delivery): Posting | Unsupported
}
