/**
 * The traits of each type of event, complete by the compiler: its kind, its subjects, and its form for clients.
 *
 * `server/state/apply` has the changes of the state, `db/log/store-event.ts` the rows, `server/audience` the recipients,
 * and `server/views/events` the forms.
 */

import type { EventOf, LogEvent, LogEventType } from './events.ts'
import type { UserId } from './ids.ts'

interface Traits<Event extends LogEvent> {
  /**
   * A `fact` changes the state or the tables; decisions answer facts. A `notice` only tells clients what follows from
   * facts; `server/audience` makes notices.
   */
  readonly kind: 'fact' | 'notice'
  /** Whether it changes users, channels, subscriptions or rights, so that earlier decisions must be decided again. */
  readonly isStructural?: boolean | ((event: Event) => boolean)
  /** The users whose account or activity it shows, not only their id: only users who know them get it. */
  readonly subjects?: (event: Event) => readonly UserId[]
  /** Whether it is useless for a recipient who no longer knows its subjects: a later event removes them. */
  readonly isUselessIfUnknown?: true
  /** The type whose form it has for clients, if that is another; null if clients never get it. */
  readonly shownAs?: LogEventType | null
}

const FACT = { kind: 'fact' } as const
const STRUCTURAL = { kind: 'fact', isStructural: true } as const
const SILENT = { kind: 'fact', isStructural: true, shownAs: null } as const
const NOTICE = { kind: 'notice' } as const

const userOf = ({ userId }: { readonly userId: UserId }) => [userId]
const TYPING = {
  kind: 'notice',
  subjects: ({ place, senderId }: EventOf<'typing/start'> | EventOf<'typing_edit_message/start'>) =>
    place.kind === 'direct' ? place.userIds : [senderId],
  isUselessIfUnknown: true,
} as const

const EVENT_TRAITS = {
  message: FACT,
  delete_message: STRUCTURAL,
  'delete_message/single': NOTICE,
  'delete_message/hidden': FACT,
  update_message: { kind: 'fact', isStructural: ({ move }) => move?.toChannel !== undefined },
  update_message_flags: FACT,
  'reaction/add': FACT,
  'reaction/remove': FACT,
  submessage: FACT,

  organization_created: SILENT,
  'realm/update_dict': STRUCTURAL,
  'realm/picture': STRUCTURAL,
  'realm/update_shown': { kind: 'notice', shownAs: 'realm/update_dict' },
  realm_linkifiers: STRUCTURAL,
  realm_playgrounds: STRUCTURAL,
  'realm_domains/add': STRUCTURAL,
  'realm_domains/change': STRUCTURAL,
  'realm_domains/remove': STRUCTURAL,
  'realm_user_settings_defaults/update': STRUCTURAL,
  'realm_emoji/update': STRUCTURAL,
  custom_profile_fields: STRUCTURAL,
  restart: STRUCTURAL,
  release_noted: SILENT,
  heartbeat: { kind: 'fact', shownAs: null },

  'realm_user/add': { kind: 'fact', isStructural: true, subjects: ({ user }) => [user.id] },
  'realm_user/update': { kind: 'fact', isStructural: true, subjects: userOf, isUselessIfUnknown: true },
  'realm_user/avatar': { kind: 'fact', isStructural: true, subjects: userOf, isUselessIfUnknown: true },
  'realm_user/avatar_shown': {
    kind: 'notice',
    subjects: userOf,
    isUselessIfUnknown: true,
    shownAs: 'realm_user/avatar',
  },
  'realm_user/profile': { kind: 'fact', isStructural: true, subjects: userOf, isUselessIfUnknown: true },
  'realm_user/email': { kind: 'notice', subjects: userOf, isUselessIfUnknown: true },
  'realm_user/delivery_email': { kind: 'notice', subjects: userOf, isUselessIfUnknown: true },
  'realm_user/reveal': { kind: 'notice', subjects: userOf },
  'realm_user/conceal': { kind: 'notice', subjects: userOf },
  'realm_bot/add': NOTICE,
  'realm_bot/update': NOTICE,
  'realm_bot/delete': NOTICE,
  login_awaited: SILENT,
  bot_setup_changed: SILENT,
  users_seen: SILENT,
  api_keys_changed: SILENT,
  login_sessions_changed: SILENT,
  password_set: { kind: 'fact', shownAs: null },
  own_address: { kind: 'fact', shownAs: null },
  second_factors_changed: SILENT,
  access_refused: { kind: 'fact', shownAs: null },

  'stream/create': STRUCTURAL,
  'stream/reveal': { kind: 'notice', shownAs: 'stream/create' },
  'stream/update': STRUCTURAL,
  'stream/update_shown': { kind: 'notice', shownAs: 'stream/update' },
  'stream/delete': NOTICE,
  default_streams: STRUCTURAL,
  'default_streams/shown': { kind: 'notice', shownAs: 'default_streams' },
  'channel_folder/add': STRUCTURAL,
  'channel_folder/update': STRUCTURAL,
  'channel_folder/reorder': STRUCTURAL,
  'subscription/add': STRUCTURAL,
  'subscription/reveal': { kind: 'notice', shownAs: 'subscription/add' },
  'subscription/remove': STRUCTURAL,
  'subscription/update': STRUCTURAL,
  'subscription/update_shown': { kind: 'notice', shownAs: 'subscription/update' },
  'subscription/peer_add': NOTICE,
  'subscription/peer_remove': NOTICE,

  'user_group/add': STRUCTURAL,
  'user_group/reveal': { kind: 'notice', shownAs: 'user_group/add' },
  'user_group/update': STRUCTURAL,
  'user_group/update_shown': { kind: 'notice', shownAs: 'user_group/update' },
  'user_group/remove': NOTICE,
  'user_group/add_members': STRUCTURAL,
  'user_group/remove_members': STRUCTURAL,
  'user_group/show_members': { kind: 'notice', shownAs: 'user_group/add_members' },
  'user_group/hide_members': { kind: 'notice', shownAs: 'user_group/remove_members' },
  'user_group/add_subgroups': STRUCTURAL,
  'user_group/remove_subgroups': STRUCTURAL,

  'user_settings/update': STRUCTURAL,
  update_display_settings: NOTICE,
  update_global_notifications: NOTICE,
  user_topic: STRUCTURAL,
  muted_topics: NOTICE,
  muted_users: STRUCTURAL,
  alert_words: STRUCTURAL,
  'drafts/add': FACT,
  'drafts/update': FACT,
  'drafts/remove': FACT,
  'saved_snippets/add': FACT,
  'saved_snippets/update': FACT,
  'saved_snippets/remove': FACT,
  'navigation_view/add': FACT,
  'navigation_view/update': FACT,
  'navigation_view/remove': FACT,

  user_status: { kind: 'fact', subjects: userOf },
  'user_status/shown': { kind: 'notice', subjects: userOf, shownAs: 'user_status' },
  presence: NOTICE,
  'presence/single': { kind: 'notice', subjects: ({ presence }) => [presence.userId] },
  'typing/start': TYPING,
  'typing/stop': TYPING,
  'typing_edit_message/start': TYPING,
  'typing_edit_message/stop': TYPING,

  'scheduled_messages/add': FACT,
  'scheduled_messages/update': FACT,
  'scheduled_messages/remove': FACT,
  'reminders/add': FACT,
  'reminders/remove': FACT,
  'device/add': FACT,
  'device/update': FACT,
  'device/remove': FACT,
  'attachment/add': STRUCTURAL,
  'attachment/update': FACT,
  'attachment/remove': STRUCTURAL,
  has_provider_token: FACT,
  invites_changed: FACT,
  invitation_used: { kind: 'fact', shownAs: null },
} as const satisfies { readonly [Type in LogEventType]: Traits<EventOf<Type>> }

type TraitsTable = typeof EVENT_TRAITS

/** The types of notices. */
export type NoticeType = {
  [Type in LogEventType]: TraitsTable[Type]['kind'] extends 'notice' ? Type : never
}[LogEventType]
/** Events that decisions answer. */
export type Fact = Exclude<LogEvent, { readonly type: NoticeType }>
/** Events that clients get in addition. */
export type Notice = Extract<LogEvent, { readonly type: NoticeType }>

/** The types with a form of their own for clients. */
export type ShownType = {
  [Type in LogEventType]: 'shownAs' extends keyof TraitsTable[Type] ? never : Type
}[LogEventType]

/** The types of events that have the form of one type. */
export type TypeShownAs<Shown extends LogEventType> =
  | Shown
  | {
      [Type in LogEventType]: TraitsTable[Type] extends { readonly shownAs: Shown } ? Type : never
    }[LogEventType]

/** Undefined for a type that only a newer release knows. */
function traitsOf(event: LogEvent): Traits<LogEvent> | undefined {
  return (EVENT_TRAITS as Readonly<Record<string, Traits<never>>>)[event.type] as Traits<LogEvent> | undefined
}

/** Whether an event changes the input of decisions, so that earlier decisions must be decided again. */
export function isStructural(event: LogEvent): boolean {
  const { isStructural: is = false } = traitsOf(event) ?? { isStructural: true }
  return typeof is === 'function' ? is(event) : is
}

/** The users whose account, activity or status an event shows. */
export function subjectsOf(event: LogEvent): readonly UserId[] {
  return traitsOf(event)?.subjects?.(event) ?? []
}

/** Whether an event is useless for a recipient who no longer knows its subjects. */
export function isUselessIfUnknown(event: LogEvent): boolean {
  return traitsOf(event)?.isUselessIfUnknown === true
}

/** The type whose form an event has for clients; undefined if they never get it. */
export function shownTypeOf(event: LogEvent): LogEventType | undefined {
  const { shownAs = event.type } = traitsOf(event) ?? { shownAs: null }
  return shownAs ?? undefined
}
