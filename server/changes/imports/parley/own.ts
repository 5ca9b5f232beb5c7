/** Reads what people keep for themselves in an export of this server's kind. */

import { type Fields, toFields, toList, toPositive, toText, toTexts } from '../fields.ts'
import type { ForeignOwn, ForeignTarget, ForeignUnread } from '../own/records.ts'
import { directPlace } from './messages.ts'

/** The settings of a channel for each of its subscribers. */
export function* readChannelSettings(channel: Fields): Generator<ForeignOwn> {
  for (const [user, values] of Object.entries(toFields(channel['subscription_settings'])))
    yield { user, kind: 'channel settings', channel: String(channel['id']), values: toFields(values) }
}

/** The status of a person, if they have one. */
export function* readStatus(user: Fields): Generator<ForeignOwn> {
  if (user['status'] === undefined) return
  const { text, emoji: given } = toFields(user['status'])
  const emoji = toFields(given)
  const [name, code, type] = ['emoji_name', 'emoji_code', 'reaction_type'].map((field) =>
    toText(emoji[field]),
  )
  yield {
    user: String(user['id']),
    kind: 'status',
    text: toText(text),
    emoji: name ? { name, code: code ?? '', type: type ?? '' } : undefined,
  }
}

/** A topic that a person follows, mutes or unmutes. */
export function readUserTopic(fields: Fields): ForeignOwn {
  return {
    user: String(fields['user_id']),
    kind: 'topic',
    channel: String(fields['channel_id']),
    topic: toText(fields['topic']),
    visibility: fields['visibility'],
    updatedAt: toPositive(fields['updated_at']),
  }
}

/** A line of the personal list; undefined if it is of no known type, or lacks what it is about. */
export function readPersonal(fields: Fields): ForeignOwn | undefined {
  const user = String(fields['user_id'])
  const text = toText(fields['content'])
  const target = readTarget(fields)
  switch (fields['type']) {
    case 'settings':
      return { user, kind: 'settings', values: toFields(fields['settings']) }
    case 'bot_channels': {
      const [sending, events] = [fields['sending_channel_id'], fields['events_channel_id']].map((id) =>
        typeof id === 'number' ? String(id) : undefined,
      )
      const hearsPublicChannels = fields['hears_public_channels'] === true
      return { user, kind: 'bot channels', sending, events, hearsPublicChannels }
    }
    case 'bot_storage':
      return { user, kind: 'bot storage', key: toText(fields['key']), value: toText(fields['value']) }
    case 'alert_words':
      return { user, kind: 'alert words', words: toTexts(fields['words']) }
    case 'muted_users':
      return {
        user,
        kind: 'muted people',
        people: toList(fields['muted_users'])
          .map(toFields)
          .map((one) => ({ user: String(one['user_id']), mutedAt: toPositive(one['muted_at']) })),
      }
    case 'draft':
      return { user, kind: 'draft', target, text, editedAt: toPositive(fields['edited_at']) }
    case 'saved_snippet': {
      const createdAt = toPositive(fields['created_at'])
      return { user, kind: 'snippet', title: toText(fields['title']), text, createdAt }
    }
    case 'navigation_view': {
      const name = typeof fields['name'] === 'string' ? toText(fields['name']) : undefined
      const isPinned = fields['is_pinned'] === true
      return { user, kind: 'view', fragment: toText(fields['fragment']), isPinned, name }
    }
    case 'scheduled_message':
      if (target === undefined) return undefined
      return {
        user,
        kind: 'scheduled message',
        target,
        text,
        deliverAt: toPositive(fields['deliver_at']),
        isReadBySender: fields['is_read_by_sender'] === true,
        hasFailed: fields['has_failed'] === true,
      }
    case 'reminder':
      return {
        user,
        kind: 'reminder',
        place: placeId(fields),
        message: String(fields['message_id']),
        note: toText(fields['note']),
        deliverAt: toPositive(fields['deliver_at']),
      }
    default:
      return undefined
  }
}

/** Messages of a place that a person has not read. */
export function readUnread(fields: Fields): ForeignUnread {
  return {
    user: String(fields['user_id']),
    place: placeId(fields),
    messages: toList(fields['message_ids']).map(String),
  }
}

function placeId(fields: Fields): string {
  return directPlace(fields)?.id ?? String(fields['channel_id'])
}

function readTarget(fields: Fields): ForeignTarget | undefined {
  if (typeof fields['channel_id'] === 'number')
    return { kind: 'channel', channel: String(fields['channel_id']), topic: toText(fields['topic']) }
  const users = toList(fields['user_ids']).map(String)
  return Array.isArray(fields['user_ids']) ? { kind: 'direct', users } : undefined
}
