/** The topics below the open channel: the one that is shown, the newest unread ones, and the way to all others. */

import { useEffect, useRef } from 'preact/hooks'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { useApp } from '../../app/app.ts'
import { TopicList } from '../../app/topic-list.ts'
import type { Calls } from '../../store/derived/calls.ts'
import { pinnedTopics } from '../../store/derived/pins.ts'
import { topicName } from '../../store/derived/topic.ts'
import type { UnreadChannel } from '../../store/derived/unread.ts'
import { ofTopic } from '../../store/narrows/narrow.ts'
import { memo } from '../../ui/memo.ts'
import { loadTopicItems } from '../topics/load-items.ts'
import { type OpenPlace, type ShownTopic, shownTopics } from './shown-places.ts'
import { SideRow } from './side-row.tsx'
import { t } from '../../texts/texts.ts'

interface OpenTopicsProps {
  readonly channel: Subscription
  readonly unread: UnreadChannel | undefined
  readonly calls: Calls
  readonly open: OpenPlace
  /** Whether only the shown topic has a row: its section is folded. */
  readonly isAlone: boolean
}

export function OpenTopics({ channel, unread, calls, open, isAlone }: OpenTopicsProps) {
  const app = useApp()
  const { stream_id: channelId, name } = channel
  const unreadTopics = unread?.topics ?? []
  const before = useRef<readonly string[]>([])
  const { shown, rest } = shownTopics(unreadTopics, calls, {
    open: open.topic,
    before: before.current,
    pinned: pinnedTopics(app.state.value, channelId),
  })
  before.current = shown.map(({ topic }) => topicKey(topic))
  useEffect(() => void app.part(TopicList).load(channelId), [app, channelId])
  const all = app.part(TopicList).of(channelId)
  const known = new Set([...all, ...unreadTopics.map(({ topic }) => topic)].map(topicKey))
  for (const key of before.current) known.delete(key)
  const rows = isAlone ? shown.filter(({ topic }) => topic === open.topic) : shown
  if (isAlone && rows.length === 0) return null
  return (
    <li class="within">
      <ul role="list" aria-label={t('Topics of {name}', { name })}>
        {rows.map(({ topic, ...counts }) => (
          <TopicRow key={topicKey(topic)} channelId={channelId} topic={topic} {...counts} />
        ))}
        {!isAlone && (
          <SideRow
            route={{ view: 'topics', path: [String(channelId)] }}
            name={moreText(all.length > 0 ? known.size : 0)}
            isInner
            isMore
            {...rest}
          />
        )}
      </ul>
    </li>
  )
}

/** Before the topics are loaded, their number is not known. */
function moreText(count: number): string {
  if (count === 0) return t('All topics')
  return t('{count, plural, one {# more topic} other {# more topics}}', { count })
}

interface TopicRowProps extends ShownTopic {
  readonly channelId: number
}

const TopicRow = memo(({ channelId, topic, count, calls }: TopicRowProps) => {
  const app = useApp()
  return (
    <SideRow
      route={{ view: 'narrow', narrow: ofTopic(channelId, topic) }}
      name={topicName(topic)}
      count={count}
      calls={calls}
      isInner
      menu={() => loadTopicItems(app, { channelId, topic })}
    />
  )
})
