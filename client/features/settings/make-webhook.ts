/** Makes the address of a webhook: with a bot, a key of its own that only posts webhooks, and the place of its messages. */

import type { App } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'

/** Instead of the id of a bot: make one. */
export const NEW_BOT = 'new'
const INCOMING_WEBHOOK = 2

/** The place of the messages, and the events that become some. */
export interface Place {
  /** Undefined for direct messages to the owner of the bot. */
  readonly channelId: number | undefined
  /** Empty for the topics of the system. */
  readonly topic: string
  /** Undefined for all. */
  readonly events: readonly string[] | undefined
}

interface Wanted {
  /** An id, or `NEW_BOT`. */
  readonly bot: string
  /** The name of a new bot. */
  readonly botName: string
  /** The name of the key. */
  readonly keyName: string
}

/** Makes what an address needs; a second try goes on where the first one failed. */
export class WebhookMaker {
  /** The bot, once it is there. */
  botId: number | undefined
  readonly #app: App
  readonly #wanted: Wanted

  constructor(app: App, wanted: Wanted) {
    this.#app = app
    this.#wanted = wanted
    this.botId = wanted.bot === NEW_BOT ? undefined : Number(wanted.bot)
  }

  /** The key, with a proof if the server wants one. */
  async make(channelId: number | undefined, proof: object): Promise<string> {
    const { api } = this.#app
    const { botName, keyName } = this.#wanted
    this.botId ??= (
      await api.call('POST /bots', {
        full_name: botName,
        short_name: shortNameOf(botName),
        bot_type: INCOMING_WEBHOOK,
        ...proof,
      })
    ).user_id
    await this.#addToPrivate(channelId, this.botId)
    const params = { bot_id: this.botId, name: keyName, scope: 'webhooks' as const, ...proof }
    return (await api.call('POST /bots/{bot_id}/keys', params)).api_key
  }

  async #addToPrivate(channelId: number | undefined, botId: number): Promise<void> {
    const { api, state } = this.#app
    const found = channelId === undefined ? undefined : channelsById(state.value)?.get(channelId)?.channel
    if (!found?.invite_only) return
    await api.call('POST /users/me/subscriptions', {
      subscriptions: [{ name: found.name }],
      principals: [botId],
    })
  }
}

/** The address for another system. */
export function addressOf(
  origin: string,
  integration: string,
  key: string,
  { channelId, topic, events }: Place,
): string {
  const url = new URL(`/api/v1/external/${integration}`, origin)
  url.searchParams.set('api_key', key)
  if (channelId !== undefined) url.searchParams.set('stream', String(channelId))
  if (channelId !== undefined && topic !== '') url.searchParams.set('topic', topic)
  if (events) url.searchParams.set('only_events', JSON.stringify(events))
  return url.href
}

/** A name that no other bot has, for its address. */
function shortNameOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, 30) || 'webhook'}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`
}
