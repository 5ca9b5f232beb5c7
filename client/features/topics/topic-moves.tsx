/** The dialog that moves a topic, while one is being moved. */

import { lazy } from '../../ui/lazy.tsx'
import { useApp } from '../../app/app.ts'

const MoveTopic = lazy(async () => (await import('./move-topic.tsx')).MoveTopic)

export function TopicMoves() {
  const place = useApp().dialogs.movedTopic.value
  return place ? <MoveTopic place={place} /> : null
}
