/** What a bot has beside its account: where its messages go, and the channels that it takes where none is named. */

import type { ChannelId } from './ids.ts'

/** The forms in which messages go out to a service: the server's own, and that of Slack; by their wire numbers. */
export const SERVICE_INTERFACES = { generic: 1, slack: 2 } as const
export type ServiceInterface = (typeof SERVICE_INTERFACES)[keyof typeof SERVICE_INTERFACES]

/** Where an outgoing webhook's messages go. */
export interface BotService {
  /** HTTP or HTTPS. */
  readonly url: string
  /** By which the service knows the server; whoever manages the bot is told it. */
  readonly token: string
  readonly interface: ServiceInterface
}

/** How a bot is set up. */
export interface BotSetup {
  /** Of outgoing webhooks, which always have one. */
  readonly service: BotService | null
  readonly sendingChannelId: ChannelId | null
  readonly eventsChannelId: ChannelId | null
  readonly hearsPublicChannels: boolean
}

/** The setup of a bot of which nothing was said. */
export const PLAIN_BOT_SETUP: BotSetup = {
  service: null,
  sendingChannelId: null,
  eventsChannelId: null,
  hearsPublicChannels: false,
}
