/** Data that people keep for themselves alone: in an export of one's own data, and in one of everything. */

import { readSnippets } from '../../../db/personal/saved-snippets.ts'
import { readDrafts } from '../../../db/personal/drafts.ts'
import { readViews } from '../../../db/personal/navigation-views.ts'
import { readLoginSessions } from '../../../db/accounts/login-sessions.ts'
import { readReminders, readScheduled } from '../../../db/messages/scheduled-messages.ts'
import { readPlaces, readUnreadByPlace, type ExportedPlace } from '../../../db/exports/exported-unread.ts'
import { readBotEntries } from '../../../db/organization/bot-storage.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { ScheduledMessage } from '../../domain/messages/scheduled-messages.ts'
import type { DraftContent } from '../../domain/personal/drafts.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { ExportScope } from './export-scope.ts'
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

/**
 * The same of all people for another server, a line for each thing with its `type`; without their groups and sessions,
 * and without what differs between servers: ids, HTML and the programs that people used.
 */
export async function* exportPersonal(
  sql: Sql,
  state: OrganizationState,
  userIds: Iterable<UserId>,
): AsyncGenerator<object> {
  const { appliedId } = state
  for (const userId of userIds) {
    const lineOf = (type: string, fields: object) => ({ user_id: userId, type, ...fields })
    yield lineOf('settings', { settings: inSnakeCase(state.settingsOf(userId)) })
    yield* exportBot(sql, state, userId, lineOf)
    const words = state.alertIndex.wordsOf(userId)
    if (words.length > 0) yield lineOf('alert_words', { words })
    const muted = state.mutes.of(userId)
    if (muted.length > 0)
      yield lineOf('muted_users', {
        muted_users: muted.map((one) => ({ user_id: one.userId, muted_at: one.mutedAt })),
      })
    for (const { target, content, editedAt } of await readDrafts(sql, userId, appliedId))
      yield lineOf('draft', { ...placeOf(target), content, edited_at: editedAt })
    for (const { title, content, createdAt } of await readSnippets(sql, userId, appliedId))
      yield lineOf('saved_snippet', { title, content, created_at: createdAt })
    for (const view of await readViews(sql, userId, appliedId))
      yield lineOf('navigation_view', inSnakeCase(view))
    for (const { target, content, deliverAt, isReadBySender, hasFailed } of await readScheduled(
      sql,
      userId,
      appliedId,
    ))
      yield lineOf('scheduled_message', {
        ...placeOf(target),
        content,
        deliver_at: deliverAt,
        is_read_by_sender: isReadBySender,
        has_failed: hasFailed,
      })
    const reminders = await readReminders(sql, userId, appliedId)
    const places = await readPlaces(
      sql,
      reminders.map(({ targetId }) => targetId),
    )
    for (const { targetId, note, deliverAt } of reminders) {
      const place = places.get(targetId)
      if (place)
        yield lineOf('reminder', { ...idsOf(place), message_id: targetId, note, deliver_at: deliverAt })
    }
  }
}

/** The data of bots alone; without the secret that proves webhooks. */
async function* exportBot(
  sql: Sql,
  state: OrganizationState,
  userId: UserId,
  lineOf: (type: string, fields: object) => object,
): AsyncGenerator<object> {
  if (!state.bots.has(userId)) return
  const { sendingChannelId, eventsChannelId, hearsPublicChannels } = state.botSetupOf(userId)
  if (sendingChannelId !== null || eventsChannelId !== null || hearsPublicChannels)
    yield lineOf('bot_channels', {
      sending_channel_id: sendingChannelId,
      events_channel_id: eventsChannelId,
      hears_public_channels: hearsPublicChannels,
    })
  for (const [key, value] of await readBotEntries(sql, userId, undefined))
    yield lineOf('bot_storage', { key, value })
}

function placeOf(target: DraftContent['target'] | ScheduledMessage['target']): object {
  if (target.kind === 'unknown') return {}
  if (target.kind === 'channel') return { channel_id: target.channelId, topic: target.topic }
  return { user_ids: target.userIds }
}

function idsOf({ channelId, userIds }: ExportedPlace): object {
  return channelId === null ? { user_ids: userIds } : { channel_id: channelId }
}

/** The unread messages of people, by place. */
export async function* exportUnread(
  sql: Sql,
  { appliedId }: OrganizationState,
  { channelIds, userIds }: Pick<ExportScope, 'channelIds' | 'userIds'>,
): AsyncGenerator<object> {
  for (const userId of userIds)
    for (const { messageIds, ...place } of await readUnreadByPlace(sql, userId, appliedId))
      if (place.channelId === null || channelIds.has(place.channelId))
        yield { user_id: userId, ...idsOf(place), message_ids: messageIds }
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

/** A channel with messages of the person that they may not read now: its name and description are no longer theirs to know. */
export function exportLeftChannel(id: ChannelId): object {
  return { id, is_subscribed: false }
}
