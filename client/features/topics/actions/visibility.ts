/** How a topic notifies: followed, muted, not muted, or as its channel. */

import { TOPIC_VISIBILITIES } from '../../../../packages/rules/topics.ts'
import type { App } from '../../../app/app.ts'
import { channelsById } from '../../../store/derived/channels.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import { isTopicMuted, type Visibility, visibilityOf } from '../../../store/derived/unread.ts'
import { type Action, always } from '../../../ui/action.ts'
import { t } from '../../../texts/texts.ts'

export function setVisibility({ api }: App, { channelId, topic }: Topic, visibility: Visibility) {
  return api.call('POST /user_topics', {
    stream_id: channelId,
    topic,
    visibility_policy: TOPIC_VISIBILITIES[visibility],
  })
}

const current = (app: App, { channelId, topic }: Topic) => visibilityOf(app.state.peek(), channelId, topic)

/** Chosen again, it is as the channel is. */
const toggle = (visibility: Visibility, label: string) =>
  ({
    name: visibility,
    label,
    isOn: (app, place) => current(app, place) === visibility,
    may: always,
    run: (app, place) =>
      setVisibility(app, place, current(app, place) === visibility ? 'inherit' : visibility),
  }) satisfies Action<Topic>

export const follow: Action<Topic> = toggle('followed', t('Follow'))

export const mute: Action<Topic> = toggle('muted', t('Mute'))

export const unmute: Action<Topic> = {
  ...toggle('unmuted', t('Unmute')),
  may: (app, place) =>
    current(app, place) === 'unmuted' ||
    channelsById(app.state.peek()).get(place.channelId)?.subscription?.is_muted === true,
}

/** For the key: the topic is muted afterwards if it was not, whatever its channel is. */
export function toggleMuted(app: App, place: Topic): { isMuted: boolean; done: Promise<unknown> } {
  const isMuted = !isTopicMuted(app.state.peek(), place.channelId, place.topic)
  return { isMuted, done: setVisibility(app, place, isMuted ? 'muted' : 'unmuted') }
}
