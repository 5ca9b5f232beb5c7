/** Neutral records of what one person alone sees or chose. */

import type { Fields } from '../fields.ts'

/** The destination of a text that waits. */
export type ForeignTarget =
  | { readonly kind: 'channel'; readonly channel: string; readonly topic: string }
  | { readonly kind: 'direct'; readonly users: readonly string[] }

/** One thing of a person. Times are UNIX seconds, and undefined if the archive has none that is valid. */
export type ForeignOwn = { readonly user: string } & (
  | { readonly kind: 'settings'; readonly values: Fields }
  | {
      readonly kind: 'status'
      readonly text: string
      readonly emoji: { readonly name: string; readonly code: string; readonly type: string } | undefined
    }
  | { readonly kind: 'channel settings'; readonly channel: string; readonly values: Fields }
  | {
      readonly kind: 'topic'
      readonly channel: string
      readonly topic: string
      /** As the API has it: 1 muted, 2 unmuted, 3 followed. */
      readonly visibility: unknown
      readonly updatedAt: number | undefined
    }
  | {
      readonly kind: 'bot channels'
      readonly sending: string | undefined
      readonly events: string | undefined
      readonly hearsPublicChannels: boolean
    }
  | { readonly kind: 'bot storage'; readonly key: string; readonly value: string }
  | { readonly kind: 'alert words'; readonly words: readonly string[] }
  | {
      readonly kind: 'muted people'
      readonly people: readonly { readonly user: string; readonly mutedAt: number | undefined }[]
    }
  | {
      readonly kind: 'draft'
      /** Undefined if the person had chosen none. */
      readonly target: ForeignTarget | undefined
      readonly text: string
      readonly editedAt: number | undefined
    }
  | {
      readonly kind: 'snippet'
      readonly title: string
      readonly text: string
      readonly createdAt: number | undefined
    }
  | {
      readonly kind: 'view'
      readonly fragment: string
      readonly isPinned: boolean
      readonly name: string | undefined
    }
  | {
      readonly kind: 'scheduled message'
      readonly target: ForeignTarget
      readonly text: string
      readonly deliverAt: number | undefined
      readonly isReadBySender: boolean
      readonly hasFailed: boolean
    }
  | {
      readonly kind: 'reminder'
      /** The id of the message's channel or conversation. */
      readonly place: string
      readonly message: string
      readonly note: string
      readonly deliverAt: number | undefined
    }
)

/** Messages of one place that a person has not read. */
export interface ForeignUnread {
  readonly place: string
  readonly user: string
  readonly messages: readonly string[]
}
