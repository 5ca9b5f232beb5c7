/** The entries of a message's menu: each only where the user may do it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import {
  isOpen,
  mayDelete,
  mayEdit,
  mayMarkUnread,
  mayMoveToChannel,
  mayReply,
  mayReport,
  maySeeReaders,
  movableToTopic,
  RESOLVED_PREFIX,
} from '../../store/derived/message-permissions.ts'
import { maySeeHistory } from '../../store/derived/may-see-history.ts'
import { mayResolve } from '../../store/derived/permissions.ts'
import { copyText } from '../../ui/copy-text.ts'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { copyMessage, linkTo, markUnreadFrom, quote, renameTopic } from './message-actions.ts'
import { type DialogName, editingId, openDialog } from './shown-message.ts'

export function menuItems(app: App, message: Message): readonly MenuItem[] {
  const state = app.state.peek()
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const { stream_id: channelId, subject: topic, id } = message
  const isResolved = topic.startsWith(RESOLVED_PREFIX)
  const show = (name: DialogName) => () => {
    openDialog.value = { name, message }
  }
  const canMove =
    movableToTopic(state, message, nowSeconds) !== 'none' || mayMoveToChannel(state, message, nowSeconds)
  const canResolve = channelId !== undefined && mayResolve(state, channelId, topic)
  const items: readonly (MenuItem | false)[] = [
    mayEdit(state, message, nowSeconds) && { text: 'Edit', onChoose: () => (editingId.value = id) },
    mayReply(state, message) && { text: 'Quote', onChoose: () => void quote(app, message) },
    { text: 'Forward', onChoose: show('forward') },
    { text: 'Copy link', onChoose: () => void copyText(linkTo(app, message), 'The link is copied.') },
    { text: 'Copy text', onChoose: () => void copyMessage(app, message) },
    canMove && { text: 'Move', onChoose: show('move') },
    canResolve && {
      text: isResolved ? 'Mark topic as not resolved' : 'Mark topic as resolved',
      onChoose: () => void renameTopic(app, id, resolutionOf(topic)),
    },
    mayMarkUnread(state, message) && {
      text: 'Mark as unread from here',
      onChoose: () => void markUnreadFrom(app, message),
    },
    { text: 'Remind me', onChoose: show('remind') },
    maySeeReaders(state) && { text: 'Who has read it', onChoose: show('readers') },
    maySeeHistory(state, message) && { text: 'Edit history', onChoose: show('history') },
    mayReport(state) && isOpen(state, message) && { text: 'Report', onChoose: show('report') },
    mayDelete(state, message, nowSeconds) && { text: 'Delete', onChoose: show('delete'), isDanger: true },
  ]
  return items.filter((item) => item !== false)
}

/** The other name of a topic: resolved, or open again. The mark may stand there more than once. */
function resolutionOf(topic: string): string {
  if (!topic.startsWith(RESOLVED_PREFIX)) return RESOLVED_PREFIX + topic
  let start = RESOLVED_PREFIX.length
  while (topic[start] === ' ' || topic[start] === '✔') start++
  return topic.slice(start)
}
