/** Notes on moves of the shown conversation: where it went, or a part of it. */

import type { App } from '../../app/app.ts'
import type { MoveNotice } from '../../app/move-follower.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { topicName } from '../../store/derived/topic.ts'
import { ofTopic, term } from '../../store/narrows/narrow.ts'
import { showToast } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

export function showMoveNotice(app: App, notice: MoveNotice): void {
  if (notice.kind === 'gone') {
    showToast(t('This conversation was deleted, or moved to a channel that you can’t see'))
    return
  }
  const { move, isWhole, isFollowed } = notice
  const { from, to, ids, userId } = move
  // The dialog says it to the person who moved them, and the head shows a topic that was resolved.
  const isResolution = from.channelId === to.channelId && topicName(from.topic) === topicName(to.topic)
  if (userId === app.ownId || (isWhole && isResolution)) return
  const name = channelsById(app.state.peek()).get(to.channelId)?.channel.name ?? ''
  const where = `#${name} › ${topicName(to.topic)}`
  const show = (topic: typeof to, id?: number) => () =>
    app.router.go({
      view: 'narrow',
      narrow: [...ofTopic(topic.channelId, topic.topic), ...(id === undefined ? [] : [term('near', id)])],
    })
  if (isWhole) showToast(t('This conversation moved to {where}', { where }))
  else if (isFollowed)
    showToast(t('Most of this conversation moved to {where}', { where }), {
      text: t('Go back'),
      run: show(from),
    })
  else {
    const text = t('{count, plural, one {One message} other {# messages}} moved to {where}', {
      count: ids.size,
      where,
    })
    showToast(text, { text: t('Show'), run: show(to, Math.min(...ids)) })
  }
}
