/** Asks for the new place of a topic. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { topicMoves } from '../../store/derived/message-permissions.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { type Topic, topicName } from '../../store/derived/topic.ts'
import { MoveFields } from './move-fields.tsx'
import { moveTopic } from './move.ts'
import { t } from '../../texts/texts.ts'

export function MoveTopic({ place }: { readonly place: Topic }) {
  const app = useApp()
  const moves = topicMoves(useState(), place.channelId)
  const topic = useSignal(place.topic)
  const channelId = useSignal(place.channelId)
  const saving = useSaving()
  const close = () => (app.dialogs.movedTopic.value = undefined)
  const move = async (event: Event) => {
    event.preventDefault()
    const to = { channelId: channelId.value, topic: topic.value.trim() }
    if (to.channelId === place.channelId && to.topic === place.topic) return close()
    const isMoved = await saving.save(() => moveTopic(app, place, to))
    if (isMoved) close()
  }
  return (
    <Dialog title={t('Move “{topic}”', { topic: topicName(place.topic) })} onClose={close}>
      <form class="form" onSubmit={(event) => void move(event)}>
        <MoveFields fromId={place.channelId} channelId={channelId} topic={topic} {...moves} />
        <p class="quiet-text">{t('All messages in the topic will move.')}</p>
        <div class="actions">
          <SavedNote saving={saving} />
          <button type="button" class="button" onClick={close}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
            {t('Move')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
