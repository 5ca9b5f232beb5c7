/** Events as clients get them: JSON text, in as many variants as clients want forms. */

import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { UserSet } from '../domain/user-set.ts'
import type { ChannelState, OrganizationState } from '../state/organization-state.ts'
import { viewChannel, viewSubscription } from './channel-view.ts'
import { encodeMessage, messageOf } from './message-view.ts'
import { viewUser } from './user-view.ts'

/** What a client said at its registration of the form in which it wants events. */
export interface EventViewOptions {
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly includeSubscribers: boolean
  readonly allowsNullSettings: boolean
  readonly allowEmptyTopic: boolean
}

/** The type by which clients ask for an event; undefined for one that no client is told. */
export function wireType(event: LogEvent): string | undefined {
  switch (event.type) {
    case 'organization_created':
    case 'api_keys_changed':
      return undefined
    case 'message':
      return 'message'
    default:
      return event.type.slice(0, event.type.indexOf('/'))
  }
}

/** Numbers the forms that `encodeEvent` tells apart: equal numbers, equal bytes. */
export function variantOf(options: EventViewOptions): number {
  return (
    (options.applyMarkdown ? 1 : 0) |
    (options.clientGravatar ? 2 : 0) |
    (options.includeSubscribers ? 4 : 0) |
    (options.allowsNullSettings ? 8 : 0) |
    (options.allowEmptyTopic ? 16 : 0)
  )
}

/** What differs between two recipients of one event in the same form. */
export interface RecipientView {
  /** The message's flags. */
  readonly flags: readonly string[]
  /** The sender's own mark of the message, for the queue that sent it. */
  readonly localId: string | null
}

/** An entry with what of the state must be told as it was then: who was subscribed to the channels it reveals. */
export interface ViewedEntry extends LogEntry {
  readonly subscribersThen?: ReadonlyMap<ChannelId, UserSet> | undefined
}

/** The event as JSON text. */
export function encodeEvent(
  { id, event, subscribersThen }: ViewedEntry,
  state: OrganizationState,
  nowSeconds: number,
  options: EventViewOptions,
  recipient: RecipientView,
): string {
  // One who left since is not told who has joined since, nor that a first message was sent.
  const channelThen = (channelId: ChannelId): ChannelState => {
    const channel = state.getChannel(channelId)
    const { firstMessageId } = channel
    return {
      ...channel,
      subscribers: subscribersThen?.get(channelId) ?? channel.subscribers,
      firstMessageId: firstMessageId !== null && firstMessageId < (id as number) ? firstMessageId : null,
    }
  }
  switch (event.type) {
    case 'message': {
      const localId =
        recipient.localId === null ? '' : `,"local_message_id":${JSON.stringify(recipient.localId)}`
      return (
        `{"id":${id},"type":"message","flags":${JSON.stringify(recipient.flags)},` +
        `"message":${encodeMessage(messageOf(id, event), state, options)}}${localId}}`
      )
    }
    case 'realm_user/add':
      return JSON.stringify({ id, type: 'realm_user', op: 'add', person: viewUser(event.user, options) })
    case 'realm_user/update': {
      const person = { user_id: event.userId, is_active: event.isActive }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'stream/create': {
      const streams = event.channels.map((channel) => viewChannel(channelThen(channel.id), state, nowSeconds))
      return JSON.stringify({ id, type: 'stream', op: 'create', streams })
    }
    case 'stream/delete': {
      const streams = event.channelIds.map((stream_id) => ({ stream_id }))
      return JSON.stringify({ id, type: 'stream', op: 'delete', stream_ids: event.channelIds, streams })
    }
    case 'subscription/add': {
      const subscriptions = event.channelIds.map((channelId) =>
        viewSubscription(channelThen(channelId), state, nowSeconds, options),
      )
      return JSON.stringify({ id, type: 'subscription', op: 'add', subscriptions })
    }
    case 'subscription/remove': {
      const subscriptions = event.channelIds.map((stream_id, index) => ({
        stream_id,
        name: event.names[index],
      }))
      return JSON.stringify({ id, type: 'subscription', op: 'remove', subscriptions })
    }
    case 'subscription/peer_add':
    case 'subscription/peer_remove': {
      const op = event.type === 'subscription/peer_add' ? 'peer_add' : 'peer_remove'
      return JSON.stringify({
        id,
        type: 'subscription',
        op,
        stream_ids: event.channelIds,
        user_ids: event.userIds,
      })
    }
    case 'organization_created':
    case 'api_keys_changed':
      throw new Error(`no client is told of ${event.type}`)
  }
}
