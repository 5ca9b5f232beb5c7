/** Pins a message at the top of its channel, or takes it off. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayPin } from '../../../store/derived/permissions.ts'
import { pinOfMessage } from '../../../store/derived/pins.ts'
import type { App } from '../../../app/app.ts'
import type { Action } from '../../../ui/action.ts'
import { t } from '../../../texts/texts.ts'

const pinOf = (app: App, { stream_id: channelId, id }: Message) =>
  channelId === undefined ? undefined : pinOfMessage(app.state.peek(), channelId, id)

export const pin: Action<Message> = {
  name: 'pin',
  label: (app, message) => (pinOf(app, message) ? t('Unpin') : t('Pin')),
  may: (app, { stream_id: channelId }) => channelId !== undefined && mayPin(app.state.peek(), channelId),
  run: (app, message) => {
    const pinned = pinOf(app, message)
    return pinned
      ? app.api.call('DELETE /pins/{pin_id}', { pin_id: pinned.id })
      : app.api.call('POST /messages/{message_id}/pin', { message_id: message.id })
  },
}
