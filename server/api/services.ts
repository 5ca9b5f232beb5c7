/** The dependencies of operations, by purpose. */

import type { Sql } from '../../db/connection/connect.ts'
import type { Differ } from '../../workers/pool/differ.ts'
import type { EventQueues } from '../actors/event-queues.ts'
import type { Presences } from '../actors/presence.ts'
import type { PushTests } from '../actors/push-tests.ts'
import type { Readers } from '../actors/readers.ts'
import type { Replica } from '../actors/replica.ts'
import type { RefusalsRecorder } from '../actors/refusals-recorder.ts'
import type { Searches } from '../actors/searches.ts'
import type { SeenSessionsRecorder } from '../actors/seen-sessions-recorder.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Passwords } from '../changes/passwords.ts'
import type { Sending } from '../changes/sending.ts'
import type { MailInPattern } from '../domain/settings/mail-in-settings.ts'
import type { AgentClients } from '../changes/agents/agent-clients.ts'
import type { BigBlueButtonSettings, LiveKitSettings } from '../domain/organization/call-provider.ts'
import type { Destinations } from '../outbound/destinations.ts'
import type { Names } from '../views/names.ts'
import type { Directory } from '../changes/sign-on/directory/directory.ts'
import type { SamlProvider } from '../changes/sign-on/saml-provider.ts'
import type { LoginProvider } from '../changes/sign-on/login-provider.ts'
import type { Calls } from '../changes/calls/call-tokens.ts'
import type { WebhookFigures } from '../changes/webhooks/webhook-figures.ts'
import type { Filing } from '../changes/uploads/uploads.ts'

/** For reading messages. */
export interface Reading {
  /** The same database, for pages of one channel; see `connect`. */
  readonly pageSql: Sql
  /** The same database, for lists of unread messages; see `connect`. */
  readonly unreadSql: Sql
  readonly readers: Readers
  /** For pages of older messages and searches; undefined if the operator names none. */
  readonly replica: Replica | undefined
  readonly searches: Searches
  readonly differ: Differ
}

/** The connected clients, and the events that they wait for. */
export interface Live {
  readonly queues: EventQueues
  readonly seenUsers: SeenUsersRecorder
  readonly seenSessions: SeenSessionsRecorder
  readonly seenKeys: SeenSessionsRecorder
  readonly refusals: RefusalsRecorder
  readonly presences: Presences
  readonly pollHoldSeconds: number
}

/** Push notifications. */
export interface Push {
  readonly pushTests: PushTests
  /** Whether the operator has configured a relay for push notifications. */
  readonly hasPushRelay: boolean
  /** Whether browsers may subscribe to web push. */
  readonly hasWebPush: boolean
  /** Addresses that users may make the server ask. */
  readonly destinations: Destinations
}

/** The webhooks of other systems. */
export interface Receiving {
  readonly webhookFigures: WebhookFigures
}

/** The operator's settings. */
export interface Hosting {
  readonly names: Names
  /** MiB of one archive for an import. */
  readonly importArchiveMib: number
  /** Default lifetime of an invitation, in minutes. */
  readonly invitationMinutes: number
  /** Whether the operator has configured a mail server. */
  readonly hasMailServer: boolean
  /** The addresses at which the server takes mails; undefined if it takes none. */
  readonly mailInPattern: MailInPattern | undefined
  /** Undefined if the operator has configured no provider of video calls. */
  readonly calls: Calls | undefined
  /** Undefined if the operator has configured no BigBlueButton server. */
  readonly bigBlueButton: BigBlueButtonSettings | undefined
  /** Undefined if the operator has configured no LiveKit server. */
  readonly liveKit: LiveKitSettings | undefined
  /** The programs of agents that ask people to let them in; undefined if the operator turned this off. */
  readonly agentClients: AgentClients | undefined
  /** The providers of log-ins, in the order of their buttons. */
  readonly loginProviders: readonly LoginProvider[]
  /** The same by SAML. */
  readonly samlProviders: readonly SamlProvider[]
  /** The company's directory; undefined without one. */
  readonly directory: Directory | undefined
  /** Whether channels may be opened to anonymous visitors, if the organization allows it. */
  readonly hasWebPublicChannels: boolean
  /** Whether API keys need no password; clients see this before they log in. */
  readonly hasDevelopmentLogins: boolean
  /** The demo's accounts, for people with the link that this process prints; undefined without a demo. */
  readonly demo: DemoLogins | undefined
}

/** A link that logs people in to the accounts of the demo. */
export interface DemoLogins {
  /** Random, and new with each start. */
  readonly token: string
  readonly accounts: readonly { readonly email: string; readonly apiKeyHash: string }[]
}

/** The dependencies of operations. */
export interface Services extends Sending, Reading, Live, Filing, Push, Receiving, Hosting {
  readonly passwords: Passwords
  /** Gets a sentence for the operator's log. */
  readonly onWarning: (message: string) => void
}
