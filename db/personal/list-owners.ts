/** Users with entries in a personal list. */

import type { UserId } from '../../server/domain/ids.ts'
import { MESSAGE_FLAGS } from '../../server/domain/messages/message-flags.ts'
import type { OwnList } from '../../server/domain/personal/own-lists.ts'
import type { Transaction } from '../connection/connect.ts'

/** By kind of list; each user once. */
export async function loadListOwners(tx: Transaction): Promise<Record<OwnList, UserId[]>> {
  const [row] = await tx<[Record<OwnList, UserId[]>]>`
    select array(select distinct user_id from drafts) as drafts,
      array(select distinct user_id from saved_snippets) as "savedSnippets",
      array(select distinct user_id from navigation_views) as "navigationViews",
      array(select distinct user_id from message_marks where marks & ${MESSAGE_FLAGS.starred} <> 0) as "starredMessages",
      array(select distinct user_id from scheduled_messages where sent_id is null and target_id is null)
        as "scheduledMessages",
      array(select distinct user_id from scheduled_messages where sent_id is null and target_id is not null) as reminders,
      array(
        select user_id from client_devices union select user_id from web_push_subscriptions
        union select user_id from push_tokens where not is_removed) as devices`
  return row
}
