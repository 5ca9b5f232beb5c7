/** Actions on the topic of a message. */

import { isResolved } from '../../../../packages/rules/topics.ts'
import type { Message } from '../../../../packages/client/src/wire-types.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import { topicName } from '../../../store/derived/topic.ts'
import { type Action, runAction } from '../../../ui/action.ts'
import { showToast, showError } from '../../../ui/toasts.tsx'
import { resolve } from '../../topics/actions/resolve.ts'
import { setVisibility, toggleMuted } from '../../topics/actions/visibility.ts'
import { t } from '../../../texts/texts.ts'

function topicOf({ stream_id: channelId, subject: topic }: Message): Topic | undefined {
  return channelId === undefined ? undefined : { channelId, topic }
}

export const resolveTopic: Action<Message> = {
  name: 'resolve-topic',
  label: (_, { subject }) =>
    isResolved(subject) ? t('Mark topic as unresolved') : t('Mark topic as resolved'),
  may: (app, message) => {
    const topic = topicOf(message)
    return topic !== undefined && resolve.may(app, topic)
  },
  run: (app, message) => {
    const topic = topicOf(message)
    if (topic) runAction(resolve, app, topic)
  },
}

export const muteTopic: Action<Message> = {
  name: 'mute-topic',
  label: t('Mute or unmute topic'),
  key: ['m', t('Mute or unmute topic')],
  may: (_, message) => topicOf(message) !== undefined,
  run: async (app, message) => {
    const topic = topicOf(message)
    if (!topic) return
    const { isMuted, done } = toggleMuted(app, topic)
    await done
    const undo = () => void setVisibility(app, topic, isMuted ? 'unmuted' : 'muted').catch(showError)
    const name = topicName(topic.topic)
    const text = isMuted ? t('“{name}” muted', { name }) : t('“{name}” unmuted', { name })
    showToast(text, { text: t('Undo'), run: undo })
  },
}
