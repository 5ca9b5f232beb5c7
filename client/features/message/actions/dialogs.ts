/** Actions on a message that open a dialog. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import type { App } from '../../../app/app.ts'
import {
  isOpen,
  mayDelete,
  mayMoveToChannel,
  mayReport,
  maySeeReaders,
  movableToTopic,
} from '../../../store/derived/message-permissions.ts'
import { maySeeHistory } from '../../../store/derived/may-see-history.ts'
import { type Action, always } from '../../../ui/action.ts'
import { type DialogName, MessageParts } from '../message-parts.ts'
import { t } from '../../../texts/texts.ts'

const nowSeconds = () => Math.floor(Date.now() / 1_000)

function dialog(
  name: DialogName,
  label: string,
  may: (app: App, message: Message) => boolean,
): Action<Message> {
  return {
    name,
    label,
    may,
    run: (app, message) => void (app.part(MessageParts).dialog.value = { name, message }),
  }
}

export const forward = dialog('forward', t('Forward'), always)

export const move = dialog('move', t('Move'), (app, message) => {
  const state = app.state.peek()
  const now = nowSeconds()
  return movableToTopic(state, message, now) !== 'none' || mayMoveToChannel(state, message, now)
})

export const remind = dialog('remind', t('Remind me'), always)

export const readers = dialog('readers', t('Read by'), (app) => maySeeReaders(app.state.peek()))

export const history = dialog('history', t('Edit history'), (app, message) =>
  maySeeHistory(app.state.peek(), message),
)

export const report = dialog('report', t('Report'), (app, message) => {
  const state = app.state.peek()
  return mayReport(state) && isOpen(state, message)
})

export const remove: Action<Message> = {
  ...dialog('delete', t('Delete'), (app, message) => mayDelete(app.state.peek(), message, nowSeconds())),
  isDanger: true,
}
