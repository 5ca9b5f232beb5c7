/** The dialog that moves a topic, while one is being moved, and notes on moves of the shown conversation. */

import { useEffect } from 'preact/hooks'
import { lazy } from '../../ui/lazy.tsx'
import { type App, useApp } from '../../app/app.ts'
import type { MoveNotice } from '../../app/move-follower.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { ofTopic, term } from '../../store/narrows/narrow.ts'
import { topicName } from '../../store/derived/topic.ts'
import { showToast } from '../../ui/toasts.tsx'

const MoveTopic = lazy(async () => (await import('./move-topic.tsx')).MoveTopic)

export function TopicMoves() {
  const app = useApp()
  useEffect(() => app.moves.listen({ onNotice: (notice) => showNotice(app, notice) }), [app])
  const place = app.dialogs.movedTopic.value
  return place ? <MoveTopic place={place} /> : null
}

function showNotice(app: App, notice: MoveNotice): void {
  if (notice.kind === 'gone') {
    showToast('This conversation was deleted, or moved to a channel that you can’t see')
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
  if (isWhole) showToast(`This conversation moved to ${where}`)
  else if (isFollowed)
    showToast(`Most of this conversation moved to ${where}`, { text: 'Go back', run: show(from) })
  else {
    const count = ids.size === 1 ? 'One message' : `${ids.size} messages`
    showToast(`${count} moved to ${where}`, { text: 'Show', run: show(to, Math.min(...ids)) })
  }
}
