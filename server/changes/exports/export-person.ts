/** The lists of one person's own data, which no other export has. */

import { readSnippets } from '../../../db/personal/saved-snippets.ts'
import { readDrafts } from '../../../db/personal/drafts.ts'
import { readViews } from '../../../db/personal/navigation-views.ts'
import { readLoginSessions } from '../../../db/accounts/login-sessions.ts'
import { readReminders, readScheduled } from '../../../db/messages/scheduled-messages.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { inSnakeCase } from './export-views.ts'

/** The settings of a person, and their own lists by name. Without keys, hashes and tokens. */
export async function readOwnLists(
  sql: Sql,
  state: OrganizationState,
  userId: UserId,
): Promise<Readonly<Record<string, unknown>>> {
  const { appliedId } = state
  const sessions = await readLoginSessions(sql, userId)
  return {
    settings: inSnakeCase(state.settingsOf(userId)),
    groups: groupsOf(state, userId),
    alert_words: state.alertIndex.words.get(userId) ?? [],
    muted_users: state.mutes.of(userId).map(inSnakeCase),
    drafts: (await readDrafts(sql, userId, appliedId)).map(inSnakeCase),
    saved_snippets: (await readSnippets(sql, userId, appliedId)).map(inSnakeCase),
    scheduled_messages: (await readScheduled(sql, userId, appliedId)).map(inSnakeCase),
    reminders: (await readReminders(sql, userId, appliedId)).map(inSnakeCase),
    navigation_views: (await readViews(sql, userId, appliedId)).map(inSnakeCase),
    log_in_sessions: sessions.map(inSnakeCase),
  }
}

function groupsOf(state: OrganizationState, userId: UserId): object[] {
  const own = [...state.groups.groups.values()].filter(({ directMembers }) => directMembers.has(userId))
  return own.map(({ group: { id, name } }) => ({ id, name }))
}

/** A person whom others' names in the messages mean: as in the list of users of the person's client. */
export function exportOther({ id, fullName, botType }: User): object {
  return { id, full_name: fullName, bot_type: botType }
}

/** A channel of the person, with their own settings for it alone. */
export function exportOwnChannel({ channel, settings, subscribers }: ChannelState, userId: UserId): object {
  const { id, name, description, isPrivate, isArchived } = channel
  return {
    id,
    name,
    description,
    is_private: isPrivate,
    is_archived: isArchived,
    is_subscribed: subscribers.has(userId),
    settings: inSnakeCase(settings.get(userId) ?? {}),
  }
}
