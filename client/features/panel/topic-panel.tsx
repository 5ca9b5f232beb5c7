/** The panel of a topic: how it notifies, the people, and its files. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { isTopicMuted, type Visibility, visibilityOf } from '../../store/derived/unread.ts'
import { ofTopic } from '../../store/narrows/narrow.ts'
import { setVisibility } from '../topics/actions/visibility.ts'
import { Choice } from '../../ui/setting.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { PanelPins } from './panel-pins.tsx'
import { PanelPeople } from './panel-people.tsx'
import { SharedFiles } from './shared-files.tsx'
import { t } from '../../texts/texts.ts'

interface TopicPanelProps {
  readonly channelId: number
  readonly topic: string
}

export function TopicPanel({ channelId, topic }: TopicPanelProps) {
  const app = useApp()
  const state = useState()
  const seen = channelsById(state).get(channelId)
  const visibility = visibilityOf(state, channelId, topic)
  const isMuted = isTopicMuted(state, channelId, topic)
  const options: readonly (readonly [Visibility, string])[] = [
    ['inherit', seen?.subscription?.is_muted ? t('Channel default: muted') : t('Channel default')],
    ['followed', t('Followed')],
    ['unmuted', t('Unmuted')],
    ['muted', t('Muted')],
  ]
  return (
    <>
      <h3>
        <bdi>{topicName(topic)}</bdi>
      </h3>
      {seen?.subscription && (
        <Choice
          key={`${channelId} ${topic}`}
          label={t('Notifications')}
          hint={isMuted ? t('Its messages don’t count as unread.') : undefined}
          value={visibility}
          options={options}
          onSave={(chosen) => setVisibility(app, { channelId, topic }, chosen as Visibility)}
        />
      )}
      <PanelPins channelId={channelId} />
      <PanelPeople channelId={channelId} />
      <SharedFiles narrow={ofTopic(channelId, topic)} />
    </>
  )
}
