/** What operations work with, by what it is for. */

import type { Sql } from '../../db/connect.ts'
import type { Differ } from '../../workers/pool/differ.ts'
import type { EventQueues } from '../actors/event-queues.ts'
import type { Presences } from '../actors/presence.ts'
import type { PushTests } from '../actors/push-tests.ts'
import type { Readers } from '../actors/readers.ts'
import type { Searches } from '../actors/searches.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Passwords } from '../changes/passwords.ts'
import type { Sending } from '../changes/sending.ts'
import type { Names } from '../views/names.ts'
import type { Calls } from '../changes/calls/call-tokens.ts'
import type { Filing } from '../changes/uploads/uploads.ts'

/** What reading messages takes. */
export interface Reading {
  /** The same database, for pages of one channel; see `connect`. */
  readonly pageSql: Sql
  readonly readers: Readers
  readonly searches: Searches
  readonly differ: Differ
}

/** Who is connected, and what they wait for. */
export interface Live {
  readonly queues: EventQueues
  readonly seenUsers: SeenUsersRecorder
  readonly presences: Presences
  readonly pollHoldSeconds: number
}

/** Push notifications. */
export interface Push {
  readonly pushTests: PushTests
  /** Whether the operator has set a service that hands push notifications on. */
  readonly hasPushRelay: boolean
}

/** What the operator has chosen. */
export interface Hosting {
  readonly names: Names
  /** Minutes until an invitation is over of which nothing else is said. */
  readonly invitationMinutes: number
  /** Undefined where the operator has set no provider of video calls. */
  readonly calls: Calls | undefined
  /** Whether channels may be opened to visitors without an account, where the organization allows it. */
  readonly hasWebPublicChannels: boolean
  /** Whether keys are given without passwords, as is said to clients before they log in. */
  readonly hasDevelopmentLogins: boolean
}

/** What operations work with. */
export interface Services extends Sending, Reading, Live, Filing, Push, Hosting {
  readonly passwords: Passwords
}
