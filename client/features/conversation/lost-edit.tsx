/** The text of an edit whose message is gone: it waits here until the person has taken or discarded it. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'
import { UnsavedEdits } from '../../app/unsaved-edits.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showError } from '../../ui/toasts.tsx'
import { MessageParts } from '../message/message-parts.ts'
import { t } from '../../texts/texts.ts'

interface LostEditProps {
  /** The message that is being edited. */
  readonly id: number
  /** The messages of the list: the edited one may have left it. */
  readonly messages: readonly Message[]
  readonly hasComposer: boolean
}

export function LostEdit({ id, messages, hasComposer }: LostEditProps) {
  const app = useApp()
  const isGone = useSignal(false)
  const isThere = messages.some((one) => one.id === id) || app.messages.find(id) !== undefined
  useEffect(() => {
    isGone.value = false
    if (isThere) return
    // It may only be in a list that is not loaded.
    exists(app, id)
      .then((does) => (isGone.value = !does))
      .catch(() => undefined) // Without a connection nothing is known of it.
  }, [id, isThere])
  const text = app.part(UnsavedEdits).find(id)
  if (!isGone.value || text === undefined) return null
  const end = () => {
    app.part(UnsavedEdits).remove(id)
    app.part(MessageParts).editingId.value = undefined
  }
  const move = async () => {
    const composer = await app.handles.focusComposer()
    composer.insert(text)
    end()
  }
  return (
    <section class="lost-edit" role="alert">
      <b>{t('The message you were editing was deleted. Your text is still here:')}</b>
      <p dir="auto">{text}</p>
      <div class="edit-bar">
        {hasComposer && (
          <button type="button" class="button primary" onClick={() => void move().catch(showError)}>
            {t('Move to composer')}
          </button>
        )}
        <button type="button" class="button" onClick={() => void copyText(text, t('Text copied'))}>
          {t('Copy text')}
        </button>
        <button type="button" class="button" onClick={end}>
          {t('Discard')}
        </button>
      </div>
    </section>
  )
}

/** Whether the user can still see a message. */
async function exists(app: App, id: number): Promise<boolean> {
  try {
    await app.api.call('GET /messages/{message_id}', { message_id: id })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return false
    throw error
  }
}
