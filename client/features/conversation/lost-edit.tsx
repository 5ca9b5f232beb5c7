/**
 * The text of an edit whose message was deleted or has left the conversation: it waits here until the person has taken or
 * discarded it, or goes after the message.
 */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'
import { UnsavedEdits } from '../../app/unsaved-edits.ts'
import { matchNarrow } from '../../store/messages/match-narrow.ts'
import { keyOf, type Narrow, term } from '../../store/narrows/narrow.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showError } from '../../ui/toasts.tsx'
import { conversationOf } from '../message/quote-of.ts'
import { MessageParts } from '../message/message-parts.ts'
import { t } from '../../texts/texts.ts'

interface LostEditProps {
  /** The message that is being edited. */
  readonly id: number
  readonly narrow: Narrow
  readonly hasComposer: boolean
}

/** The fate of an edited message that is not any more in the place where the person edits it. */
type Fate = { readonly isDeleted: true } | { readonly isDeleted: false; readonly message: Message }

export function LostEdit({ id, narrow, hasComposer }: LostEditProps) {
  const app = useApp()
  const fate = useFate(id, narrow)
  const text = app.part(UnsavedEdits).find(id)
  if (!fate || text === undefined) return null
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
      <b>
        {fate.isDeleted
          ? t('The message you were editing was deleted. Your text is still here:')
          : t('The message you were editing was moved. Your text is still here:')}
      </b>
      <p dir="auto">{text}</p>
      <div class="edit-bar">
        {!fate.isDeleted && (
          <button
            type="button"
            class="button primary"
            onClick={() =>
              app.router.go({
                view: 'narrow',
                narrow: [...conversationOf(app, fate.message), term('near', id)],
              })
            }
          >
            {t('Go to message')}
          </button>
        )}
        {fate.isDeleted && hasComposer && (
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

/** Undefined while the message is where it is edited, or the person has gone elsewhere. */
function useFate(id: number, narrow: Narrow): Fate | undefined {
  const app = useApp()
  const fate = useSignal<Fate | undefined>(undefined)
  const lastIn = useRef('')
  const place = keyOf(narrow)
  const isInList = app.messages.window(narrow).value.messages.some((one) => one.id === id)
  if (isInList) lastIn.current = `${id} ${place}`
  const isThere = isInList || (lastIn.current !== `${id} ${place}` && app.messages.find(id) !== undefined)
  useEffect(() => {
    fate.value = undefined
    if (isThere) return
    let isOver = false
    // It may only be in a part of the list that is not loaded.
    find(app, id)
      .then((message) => {
        if (isOver) return
        if (!message) fate.value = { isDeleted: true }
        else if (lastIn.current === `${id} ${place}` && matchNarrow(narrow, message, app.ownId) === false)
          fate.value = { isDeleted: false, message }
      })
      .catch(() => undefined) // Without a connection nothing is known of it.
    return () => {
      isOver = true
    }
  }, [id, isThere, place])
  return fate.value
}

/** The message, unless the user cannot see it any more. */
async function find(app: App, id: number): Promise<Message | undefined> {
  try {
    return (await app.api.call('GET /messages/{message_id}', { message_id: id })).message
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined
    throw error
  }
}
