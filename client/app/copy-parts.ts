/** The parts of the copy that this device has of a session, for times without a connection. */

import type { Message } from '../../packages/client/src/wire-types.ts'
import type { Narrow } from '../store/narrows/narrow.ts'

/** The name of this file has the hash of its code: another build may expect another form of state. */
export const BUILD = import.meta.url

/** Before the id of a person: the token of the session that the copy belongs to. */
export const TOKEN_KEY = 'parley-offline-'
export const ABOUT = 'about'

export interface About {
  readonly kind: 'about'
  readonly build: string
  /** The time at which the copy held. */
  readonly atMs: number
  /** The keys of the conversations; the one that was shown last is the last one. */
  readonly conversations: readonly string[]
}

export interface Conversation {
  readonly kind: 'conversation'
  readonly narrow: Narrow
  readonly messages: readonly Message[]
  readonly hasOldest: boolean
  readonly hasNewest: boolean
}

export type Part =
  | About
  | Conversation
  | { readonly kind: 'state'; readonly name: string; readonly value: unknown }
