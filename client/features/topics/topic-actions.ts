/** Actions on a topic. */

import type { App } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { mayResolve } from '../../store/derived/permissions.ts'
import { topicMoves } from '../../store/derived/topic-moves.ts'
import { type Visibility, visibilityOf } from '../../store/derived/unread.ts'
import { ofTopic } from '../../store/narrows/narrow.ts'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { sayProblem } from '../../ui/toasts.tsx'
import { isResolved, RESOLVED } from '../../store/derived/topic-name.ts'
import { copyLink } from '../channels/channel-actions.ts'
import { movedTopic, type Topic } from './moved-topic.ts'

const POLICIES: Readonly<Record<Visibility, number>> = { inherit: 0, muted: 1, unmuted: 2, followed: 3 }

export function setVisibility({ api }: App, { channelId, topic }: Topic, visibility: Visibility) {
  return api.call('POST /user_topics', {
    stream_id: channelId,
    topic,
    visibility_policy: POLICIES[visibility],
  })
}

/** The entries that mute, follow or unmute a topic. */
function visibilityItems(app: App, place: Topic): readonly MenuItem[] {
  const state = app.state.peek()
  const now = visibilityOf(state, place.channelId, place.topic)
  const isChannelMuted = channelsById(state).get(place.channelId)?.subscription?.is_muted ?? false
  const item = (visibility: Visibility, text: string): MenuItem => ({
    text,
    isChecked: now === visibility,
    onChoose: () =>
      void setVisibility(app, place, now === visibility ? 'inherit' : visibility).catch(sayProblem),
  })
  return [
    item('followed', 'Follow'),
    ...(isChannelMuted || now === 'unmuted' ? [item('unmuted', 'Unmute')] : []),
    item('muted', 'Mute'),
  ]
}

/** The newest message of a topic: changes of the whole topic are asked for by one of its messages. */
async function newestMessageId({ api }: App, { channelId, topic }: Topic): Promise<number | undefined> {
  const { topics } = await api.call('GET /users/me/{stream_id}/topics', {
    stream_id: channelId,
    allow_empty_topic_name: true,
  })
  return topics.find(({ name }) => name.toLowerCase() === topic.toLowerCase())?.max_id
}

/** Moves all messages of a topic; resolves to whether there were any. */
export async function moveTopic(app: App, from: Topic, to: Topic): Promise<boolean> {
  const messageId = await newestMessageId(app, from)
  if (messageId === undefined) return false
  await app.api.call('PATCH /messages/{message_id}', {
    message_id: messageId,
    propagate_mode: 'change_all',
    ...(to.topic === from.topic ? {} : { topic: to.topic }),
    ...(to.channelId === from.channelId ? {} : { stream_id: to.channelId }),
  })
  return true
}

/** Marks a topic as resolved, or no longer; an open view of it follows. */
export async function toggleResolved(app: App, place: Topic): Promise<void> {
  const topic = isResolved(place.topic) ? place.topic.slice(RESOLVED.length) : RESOLVED + place.topic
  const to = { ...place, topic }
  try {
    if (await moveTopic(app, place, to)) followMove(app, place, to)
  } catch (error) {
    sayProblem(error)
  }
}

/** Shows the topic at its new place if it was on the screen. */
export function followMove(app: App, from: Topic, to: Topic): void {
  const route = app.router.route.peek()
  if (route.view !== 'narrow') return
  const [first, second] = route.narrow
  const isShown =
    first?.operator === 'channel' &&
    first.operand === from.channelId &&
    second?.operator === 'topic' &&
    second.operand.toLowerCase() === from.topic.toLowerCase()
  if (isShown) app.router.go({ view: 'narrow', narrow: ofTopic(to.channelId, to.topic) })
}

function moveText(canRename: boolean, canLeave: boolean): string {
  if (canRename && canLeave) return 'Move or rename…'
  return canRename ? 'Rename…' : 'Move…'
}

/** The menu of a topic. */
export function topicItems(app: App, place: Topic): readonly MenuItem[] {
  const { channelId, topic } = place
  const { canRename, canLeave } = topicMoves(app.state.peek(), channelId)
  return [
    ...visibilityItems(app, place),
    {
      text: 'Mark as read',
      onChoose: () =>
        void app.api
          .call('POST /mark_topic_as_read', { stream_id: channelId, topic_name: topic })
          .catch(sayProblem),
    },
    ...(mayResolve(app.state.peek(), channelId, topic)
      ? [
          {
            text: isResolved(topic) ? 'Mark as unresolved' : 'Mark as resolved',
            onChoose: () => void toggleResolved(app, place),
          },
        ]
      : []),
    ...(canRename || canLeave
      ? [{ text: moveText(canRename, canLeave), onChoose: () => void (movedTopic.value = place) }]
      : []),
    {
      text: 'Copy link',
      onChoose: () => copyLink(app.router.hrefOf({ view: 'narrow', narrow: ofTopic(channelId, topic) })),
    },
  ]
}
