/** The topic of a message that is written in the view of a whole channel. */

import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { TopicList } from '../../app/topic-list.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { t } from '../../texts/texts.ts'

/** Topics that are offered; browsers show a part of them. */
const OFFERED_MAX = 50

interface TopicFieldProps {
  readonly place: DraftPlace & { readonly type: 'channel' }
  readonly isMissing: boolean
}

export function TopicField({ place, isMissing }: TopicFieldProps) {
  const app = useApp()
  const { max_topic_length: lengthMax } = useState()
  const listId = useId()
  const problemId = useId()
  const topic = app.drafts.at(place)?.topic ?? ''
  const topics = app
    .part(TopicList)
    .of(place.channelId)
    .filter((one) => one !== '')
  return (
    <>
      <input
        class="topic for-use"
        aria-label={t('Topic')}
        aria-invalid={isMissing && topic.trim() === ''}
        aria-describedby={isMissing ? problemId : undefined}
        placeholder={t('Topic')}
        autocomplete="off"
        dir="auto"
        list={listId}
        maxLength={lengthMax}
        value={topic}
        onFocus={() => void app.part(TopicList).load(place.channelId)}
        onInput={(event) => void app.drafts.change(place, { topic: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {topics.slice(0, OFFERED_MAX).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {isMissing && topic.trim() === '' && (
        <p class="composer-note" id={problemId} role="alert">
          {t('Messages in this channel need a topic.')}
        </p>
      )}
    </>
  )
}
