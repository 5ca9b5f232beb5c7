/** Asks for the new place of a topic. */

import { topicMoves } from '../../../store/derived/message-permissions.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import type { Action } from '../../../ui/action.ts'
import { t } from '../../../texts/texts.ts'

export const move: Action<Topic> = {
  name: 'move',
  label: (app, { channelId }) => {
    const { canRename, canLeave } = topicMoves(app.state.peek(), channelId)
    if (canRename && canLeave) return t('Move or rename…')
    return canRename ? t('Rename…') : t('Move…')
  },
  may: (app, { channelId }) => {
    const { canRename, canLeave } = topicMoves(app.state.peek(), channelId)
    return canRename || canLeave
  },
  run: (app, place) => void (app.dialogs.movedTopic.value = place),
}
