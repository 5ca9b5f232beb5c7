/** The initial state of messages: unread and starred ones, conversations, drafts. All as of one event. */

import { readRecentConversations } from '../../../db/unread/conversations.ts'
import { readDrafts } from '../../../db/personal/drafts.ts'
import { findNewestReceived } from '../../../db/messages/find-messages.ts'
import { readStarred } from '../../../db/unread/read-marks.ts'
import { readUnread, UNREAD_MAX } from '../../../db/unread/unread.ts'
import { arrayOf, INTEGER, record } from '../../domain/json-schema.ts'
import { DRAFT, viewDraft } from '../../views/draft-view.ts'
import { UNREAD_MESSAGES, viewUnread } from '../../views/unread-view.ts'
import { readerOf } from '../../decisions/messages/message-access.ts'
import { openChannelIds } from '../narrow/narrow-operands.ts'
import { readOwnList } from './context.ts'
import { statePart } from './state-part.ts'

/** Listed conversations: those in a client's left column. */
const RECENT_CONVERSATIONS_MAX = 1_000

/** `message`. */
export const newest = statePart({
  fields: {
    max_message_id: { schema: INTEGER, description: 'The newest message received; 0 without any.' },
  },
  fetch: async ({ user, services: { sql, state } }) => ({
    max_message_id: await findNewestReceived(sql, readerOf({ state, caller: user })),
  }),
})

/** `update_message_flags`. */
export const unread = statePart({
  fields: {
    unread_msgs: {
      schema: UNREAD_MESSAGES,
      description:
        `The newest ${UNREAD_MAX} unread messages: ids by user, by topic and by group of users, and those ` +
        'that mention the user.',
    },
  },
  async fetch({ user, services, options, asOf }) {
    const messages = await readUnread(services.unreadSql, user.id, asOf)
    return { unread_msgs: viewUnread(messages, user.id, options.allowEmptyTopic) }
  },
})

/** `starred_messages`. */
export const starred = statePart({
  fields: {
    starred_messages: { schema: arrayOf(INTEGER), description: 'Ids of the starred messages.' },
  },
  async fetch({ user, services: { sql, state } }) {
    if (!state.listOwners.has('starredMessages', user.id)) return { starred_messages: [] }
    const narrow = [{ operator: 'is', operand: 'starred', negated: false }]
    const reader = {
      ...readerOf({ state, caller: user }),
      openChannelIds: openChannelIds(narrow, user, state),
    }
    return { starred_messages: await readStarred(sql, reader) }
  },
})

/** `recent_private_conversations`. */
export const recentConversations = statePart({
  fields: {
    recent_private_conversations: {
      schema: arrayOf(record({ user_ids: arrayOf(INTEGER), max_message_id: INTEGER })),
      description:
        `The ${RECENT_CONVERSATIONS_MAX} latest conversations, the most recent first: the other users, and ` +
        'the newest message.',
    },
  },
  async fetch({ user, services: { sql, state }, asOf }) {
    // A user without direct messages has no conversations.
    if (!state.partners.has(user.id)) return { recent_private_conversations: [] }
    const recent = await readRecentConversations(sql, user.id, asOf, RECENT_CONVERSATIONS_MAX)
    return {
      recent_private_conversations: recent.map(({ userIds, newestId }) => ({
        user_ids: userIds.filter((id) => id !== user.id),
        max_message_id: newestId,
      })),
    }
  },
})

/** `drafts`. */
export const drafts = statePart({
  fields: {
    drafts: {
      schema: arrayOf(DRAFT),
      description: "The user's drafts, the last edited at the end; empty if the server does not store them.",
    },
  },
  async fetch(context) {
    const { user, services } = context
    if (!services.state.settingsOf(user.id).enableDraftsSynchronization) return { drafts: [] }
    return { drafts: (await readOwnList(context, 'drafts', readDrafts)).map(viewDraft) }
  },
})
