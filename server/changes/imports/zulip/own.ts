/** Reads what people of Zulip keep for themselves. */

import { type Fields, toPositive, toText } from '../fields.ts'
import type { ForeignOwn, ForeignTarget } from '../own/records.ts'
import { idOf, RowsOf } from './rows.ts'
import { subscriptionSettingsOf, userSettingsOf } from './settings.ts'

/** Messages that are sent later, and reminders. */
const REMINDER = 2

/** Finds what rows refer to. */
export interface OwnPlaces {
  /** The channel of a recipient. */
  channel(recipient: unknown): string | undefined
  /** The destination of a recipient. */
  target(recipient: unknown, sender: string, topic: string): ForeignTarget | undefined
  /** The channel or conversation of a message that somebody wants to be reminded of. */
  place(message: string): string | undefined
}

/** Lists of people that tables have in rows: each is one thing, since it changes as a whole. */
export class OwnLists {
  readonly #words = new RowsOf<string>()
  readonly #muted = new RowsOf<{ readonly user: string; readonly mutedAt: number | undefined }>()

  /** Notes a row, if it is of such a list. */
  note(table: string, row: Fields): void {
    const [user, muted] = [idOf(row['user_profile']), idOf(row['muted_user'])]
    if (table === 'zerver_alertword') this.#words.add(user, toText(row['word']))
    if (table === 'zerver_muteduser' && muted !== undefined)
      this.#muted.add(user, { user: muted, mutedAt: toPositive(row['date_muted']) })
  }

  *all(): Generator<ForeignOwn> {
    for (const [user, words] of this.#words.all())
      yield { user, kind: 'alert words', words: words.filter(Boolean) }
    for (const [user, people] of this.#muted.all()) yield { user, kind: 'muted people', people }
  }
}

/** The things in a row of a table; most have one. */
export function readOwn(table: string, row: Fields, places: OwnPlaces): readonly ForeignOwn[] {
  const user = idOf(row['user_profile'])
  if (table === 'zerver_userprofile') return readUser(row)
  if (table === 'zerver_scheduledmessage') return readScheduled(row, places)
  if (table === 'zerver_botstoragedata') {
    const bot = idOf(row['bot_profile'])
    const [key, value] = [toText(row['key']), toText(row['value'])]
    return bot === undefined ? [] : [{ user: bot, kind: 'bot storage', key, value }]
  }
  return user === undefined ? [] : readOfUser(table, user, row, places)
}

function readOfUser(table: string, user: string, row: Fields, places: OwnPlaces): readonly ForeignOwn[] {
  switch (table) {
    case 'zerver_userstatus': {
      const [name, code, type] = ['emoji_name', 'emoji_code', 'reaction_type'].map((field) =>
        toText(row[field]),
      )
      const emoji = name ? { name, code: code ?? '', type: type ?? '' } : undefined
      return [{ user, kind: 'status', text: toText(row['status_text']), emoji }]
    }
    case 'zerver_subscription': {
      const channel = places.channel(row['recipient'])
      if (channel === undefined || row['active'] === false) return []
      return [{ user, kind: 'channel settings', channel, values: subscriptionSettingsOf(row) }]
    }
    case 'zerver_usertopic': {
      const channel = idOf(row['stream']) ?? places.channel(row['recipient'])
      if (channel === undefined) return []
      const updatedAt = toPositive(row['last_updated'])
      const topic = toText(row['topic_name'])
      return [{ user, kind: 'topic', channel, topic, visibility: row['visibility_policy'], updatedAt }]
    }
    case 'zerver_savedsnippet': {
      const [title, text] = [toText(row['title']), toText(row['content'])]
      return [{ user, kind: 'snippet', title, text, createdAt: toPositive(row['date_created']) }]
    }
  }
  return []
}

/** Settings of a person; the channels of a bot. */
function readUser(row: Fields): readonly ForeignOwn[] {
  const user = idOf(row['id'])
  if (user === undefined || row['is_mirror_dummy'] === true) return []
  if (row['is_bot'] !== true) return [{ user, kind: 'settings', values: userSettingsOf(row) }]
  const [sending, events] = ['default_sending_stream', 'default_events_register_stream'].map((name) =>
    idOf(row[name]),
  )
  const hearsPublicChannels = row['default_all_public_streams'] === true
  if (sending === undefined && events === undefined && !hearsPublicChannels) return []
  return [{ user, kind: 'bot channels', sending, events, hearsPublicChannels }]
}

/** A delivered one is a message already. */
function readScheduled(row: Fields, places: OwnPlaces): readonly ForeignOwn[] {
  const user = idOf(row['sender'])
  if (user === undefined || row['delivered'] === true) return []
  const seconds = toPositive(row['scheduled_timestamp'])
  const deliverAt = seconds === undefined ? undefined : Math.ceil(seconds)
  if (row['delivery_type'] === REMINDER) {
    const message = idOf(row['reminder_target_message_id']) ?? ''
    const note = toText(row['reminder_note'])
    return [{ user, kind: 'reminder', place: places.place(message) ?? '', message, note, deliverAt }]
  }
  const target = places.target(row['recipient'], user, toText(row['subject']))
  if (!target) return []
  const text = toText(row['content'])
  const isReadBySender = row['read_by_sender'] === true
  const hasFailed = row['failed'] === true
  return [{ user, kind: 'scheduled message', target, text, deliverAt, isReadBySender, hasFailed }]
}
