/** A bot's setup beside its account: where its messages go, and its default channels. */

import type { ChannelId } from '../ids.ts'

/** Payload formats for outgoing webhooks, by their wire numbers: the server's own, and Slack's. */
export const SERVICE_INTERFACES = { generic: 1, slack: 2 } as const
export type ServiceInterface = (typeof SERVICE_INTERFACES)[keyof typeof SERVICE_INTERFACES]

/** The service that an outgoing webhook posts to. */
export interface BotService {
  /** HTTP or HTTPS. */
  readonly url: string
  /** Authenticates the server to the service; the bot's managers can see it. */
  readonly token: string
  readonly interface: ServiceInterface
}

/** How a bot is set up. */
export interface BotSetup {
  /** Always set for outgoing webhooks. */
  readonly service: BotService | null
  readonly sendingChannelId: ChannelId | null
  readonly eventsChannelId: ChannelId | null
  readonly hearsPublicChannels: boolean
  /** Senders of webhooks prove that they know it, in the way of their integration; null for no check. */
  readonly webhookSecret: string | null
}

/** The default setup. */
export const PLAIN_BOT_SETUP: BotSetup = {
  service: null,
  sendingChannelId: null,
  eventsChannelId: null,
  hearsPublicChannels: false,
  webhookSecret: null,
}
