/** Actions on a message that need no view of their own. */

import { isTopicMuted } from '../../store/derived/unread.ts'
import { term } from '../../store/narrows/narrow.ts'
import { isSame } from '../../store/narrows/is-same.ts'
import { sayDone, sayProblem } from '../../ui/toasts.tsx'
import { topicName } from '../../store/derived/topic-name.ts'
import { provideAction } from './actions.ts'
import { conversationOf, markUnreadFrom, quote, reply, toggleStar } from './message-actions.ts'
import { edit, openReactions } from './open-tools.ts'

const MUTED = 1
const UNMUTED = 2

provideAction('open', (app, message) => {
  const narrow = [...conversationOf(app, message), term('near', message.id)]
  const route = { view: 'narrow', narrow } as const
  if (isSame(app.router.route.peek(), route)) void reply(app, message)
  else app.router.go(route)
})

provideAction('reply', (app, message) => void reply(app, message))
provideAction('quote', (app, message) => void quote(app, message))
provideAction('star', (app, message) => void toggleStar(app, message))
provideAction('unread', (app, message) => void markUnreadFrom(app, message))
provideAction('edit', edit)
provideAction('react', openReactions)

provideAction('mute', (app, { stream_id: channelId, subject }) => {
  if (channelId === undefined) return
  const isMuted = isTopicMuted(app.state.peek(), channelId, subject)
  const set = (policy: number) =>
    app.api.call('POST /user_topics', {
      stream_id: channelId,
      topic: subject,
      visibility_policy: policy,
    })
  const undo = () => void set(isMuted ? MUTED : UNMUTED).catch(sayProblem)
  const text = `“${topicName(subject)}” is ${isMuted ? 'no longer muted' : 'muted'}.`
  set(isMuted ? UNMUTED : MUTED).then(() => sayDone(text, { text: 'Undo', run: undo }), sayProblem)
})
