/** Marks the messages of a topic as read. */

import type { Topic } from '../../../store/derived/topic.ts'
import { type Action, always } from '../../../ui/action.ts'
import { t } from '../../../texts/texts.ts'

export const markRead: Action<Topic> = {
  name: 'mark-read',
  label: t('Mark as read'),
  may: always,
  run: ({ api }, { channelId, topic }) =>
    api.call('POST /mark_topic_as_read', { stream_id: channelId, topic_name: topic }),
}
