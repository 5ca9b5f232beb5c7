/** Pins a topic at the top of its channel, or takes it off. */

import { mayPin } from '../../../store/derived/permissions.ts'
import { pinOfTopic } from '../../../store/derived/pins.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import type { Action } from '../../../ui/action.ts'
import { newestMessageId } from '../move.ts'
import { t } from '../../../texts/texts.ts'

export const pin: Action<Topic> = {
  name: 'pin',
  label: (app, { channelId, topic }) =>
    pinOfTopic(app.state.peek(), channelId, topic) ? t('Unpin') : t('Pin'),
  may: (app, { channelId }) => mayPin(app.state.peek(), channelId),
  run: async (app, place) => {
    const pinned = pinOfTopic(app.state.peek(), place.channelId, place.topic)
    if (pinned) return app.api.call('DELETE /pins/{pin_id}', { pin_id: pinned.id })
    const messageId = await newestMessageId(app, place)
    if (messageId === undefined) return undefined
    return app.api.call('POST /messages/{message_id}/pin', { message_id: messageId, kind: 'topic' })
  },
}
