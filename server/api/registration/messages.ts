/** The initial state of messages: unread and starred ones, conversations, drafts. All as of one event. */

import { readRecentConversations } from '../../../db/conversations.ts'
import { readDrafts } from '../../../db/drafts.ts'
import { findNewestReceived } from '../../../db/find-messages.ts'
import { readStarred } from '../../../db/read-marks.ts'
import { readUnread } from '../../../db/unread.ts'
import { viewDraft } from '../../views/draft-view.ts'
import { viewUnread } from '../../views/unread-view.ts'
import { readerOf } from '../../decisions/messages/message-reader.ts'
import { openChannelIds } from '../narrow/narrow-operands.ts'
import { type Fields, readOwnList, type RegistrationContext } from './context.ts'

/** Listed conversations: those in a client's left column. */
const RECENT_CONVERSATIONS_MAX = 1_000

/** `message`. */
export async function fetchNewest({ user, services }: RegistrationContext): Promise<Fields> {
  return {
    max_message_id: await findNewestReceived(services.sql, readerOf({ state: services.state, caller: user })),
  }
}

/** `update_message_flags`. */
export async function fetchUnread({ user, services, options, asOf }: RegistrationContext): Promise<Fields> {
  const unread = await readUnread(services.sql, user.id, asOf)
  return { unread_msgs: viewUnread(unread, user.id, options.allowEmptyTopic) }
}

/** `starred_messages`. */
export async function fetchStarred({ user, services }: RegistrationContext): Promise<Fields> {
  const { sql, state } = services
  if (!state.listOwners.has('starredMessages', user.id)) return { starred_messages: [] }
  const narrow = [{ operator: 'is', operand: 'starred', negated: false }]
  const reader = { ...readerOf({ state, caller: user }), openChannelIds: openChannelIds(narrow, user, state) }
  return { starred_messages: await readStarred(sql, reader) }
}

/** `recent_private_conversations`. */
export async function fetchRecentConversations(context: RegistrationContext): Promise<Fields> {
  const { user, services, asOf } = context
  // A user without direct messages has no conversations.
  if (!services.state.partners.has(user.id)) return { recent_private_conversations: [] }
  const recent = await readRecentConversations(services.sql, user.id, asOf, RECENT_CONVERSATIONS_MAX)
  return {
    recent_private_conversations: recent.map(({ userIds, newestId }) => ({
      user_ids: userIds.filter((id) => id !== user.id),
      max_message_id: newestId,
    })),
  }
}

/** `drafts`. */
export async function fetchDrafts(context: RegistrationContext): Promise<Fields> {
  const { user, services } = context
  if (!services.state.settingsOf(user.id).enableDraftsSynchronization) return { drafts: [] }
  return { drafts: (await readOwnList(context, 'drafts', readDrafts)).map(viewDraft) }
}
