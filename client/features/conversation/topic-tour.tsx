/** Explains to new people what a topic is, below the head of the first ones that they open, until they close it. */

import { useSignal } from '@preact/signals'
import { type App, useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { Text } from '../../texts/text.tsx'
import { t } from '../../texts/texts.ts'

/** Accounts count as new for a month: others have met topics, perhaps before there was this note. */
const NEW_MS_MAX = 30 * 86_400_000

/** Whether a person is new, and has not closed the note. */
export function wantsTopicTour({ isVisitor, state, users, ownId, minute }: App): boolean {
  const joined = Date.parse(users.value.get(ownId)?.date_joined ?? '')
  const isNew = minute.peek() - joined < NEW_MS_MAX
  return !isVisitor && isNew && state.value.user_settings?.parley_show_topic_tour === true
}

export function TopicTour() {
  const { api } = useApp()
  const isClosed = useSignal(false)
  if (isClosed.value) return null
  const close = () => {
    isClosed.value = true
    api.call('PATCH /settings', { parley_show_topic_tour: false }).catch(showError)
  }
  return (
    <aside class="strip tour" aria-label={t('About topics')}>
      <Icon name="topic" />
      <p>
        <Text
          of="<0>Each conversation has a topic.</0> Reply where you read, or start a new topic for something else. You can follow topics, mute them, and mark them as resolved."
          parts={[<b />]}
        />
      </p>
      <button class="button" onClick={close}>
        {t('Got it')}
      </button>
    </aside>
  )
}
