/** The dialog that moves a topic, while one is being moved, and notes on moves of the shown conversation. */

import { useEffect } from 'preact/hooks'
import { lazy } from '../../ui/lazy.tsx'
import { useApp } from '../../app/app.ts'

const MoveTopic = lazy(async () => (await import('./move-topic.tsx')).MoveTopic)

export function TopicMoves() {
  const app = useApp()
  useEffect(
    () =>
      app.moves.listen({
        onNotice: (notice) =>
          void import('./move-notice.ts').then(
            ({ showMoveNotice }) => showMoveNotice(app, notice),
            () => undefined, // The head of the conversation says where it is.
          ),
      }),
    [app],
  )
  const place = app.dialogs.movedTopic.value
  return place ? <MoveTopic place={place} /> : null
}
