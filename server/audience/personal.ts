/** Recipients of facts about a user's own data: the user's clients. */

import type { EventOf } from '../domain/events.ts'
import { type Notifiers, nobody, owner } from './notifier.ts'

type PersonalFact = EventOf<
  | 'drafts/add'
  | 'drafts/update'
  | 'drafts/remove'
  | 'saved_snippets/add'
  | 'saved_snippets/update'
  | 'saved_snippets/remove'
  | 'navigation_view/add'
  | 'navigation_view/update'
  | 'navigation_view/remove'
  | 'alert_words'
  | 'muted_users'
  | 'scheduled_messages/add'
  | 'scheduled_messages/update'
  | 'scheduled_messages/remove'
  | 'reminders/add'
  | 'reminders/remove'
  | 'device/add'
  | 'device/update'
  | 'device/remove'
  | 'has_provider_token'
  | 'invitation_used'
  | 'update_message_flags'
>

export const PERSONAL_NOTIFIERS: Notifiers<PersonalFact> = {
  'drafts/add': owner,
  'drafts/update': owner,
  'drafts/remove': owner,
  'saved_snippets/add': owner,
  'saved_snippets/update': owner,
  'saved_snippets/remove': owner,
  'navigation_view/add': owner,
  'navigation_view/update': owner,
  'navigation_view/remove': owner,
  alert_words: owner,
  muted_users: owner,
  'scheduled_messages/add': owner,
  'scheduled_messages/update': owner,
  'scheduled_messages/remove': owner,
  'reminders/add': owner,
  'reminders/remove': owner,
  'device/add': owner,
  'device/update': owner,
  'device/remove': owner,
  has_provider_token: owner,
  invitation_used: nobody,
  update_message_flags: owner,
}
