/** A message that is being edited in its place. Its text is not lost when the page is closed. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { UnsavedEdits } from '../../app/unsaved-edits.ts'
import { editableUntil } from '../../store/derived/message-permissions.ts'
import { isSendKey } from '../../ui/is-send-key.ts'
import { problemText, showToast } from '../../ui/toasts.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { loadText } from './quote-of.ts'
import { MessageParts } from './message-parts.ts'
import { t } from '../../texts/texts.ts'

const MINUTE_SECONDS = 60

export function EditMessage({ message }: { readonly message: Message }) {
  const app = useApp()
  const { editingId } = app.part(MessageParts)
  const original = useSignal<string | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useLayoutEffect(() => {
    loadText(app, message)
      .then((text) => (original.value = text))
      .catch((error: unknown) => (problem.value = problemText(error)))
  }, [message.id])
  if (original.value === undefined)
    return problem.value === undefined ? (
      <Waiting text={t('Loading…')} />
    ) : (
      <p class="problem" role="alert">
        {problem.value}{' '}
        <button class="button" onClick={() => (editingId.value = undefined)}>
          {t('Close')}
        </button>
      </p>
    )
  return <EditForm message={message} original={original.value} />
}

function EditForm({ message, original }: { readonly message: Message; readonly original: string }) {
  const { max_message_length: lengthMax, user_settings: settings } = useState()
  const area = useRef<HTMLTextAreaElement>(null)
  const { text, problem, isSaving, change, cancel, save } = useEdit(message, original)
  useLayoutEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(text.value.length, text.value.length)
  }, [])
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && isSendKey(event, settings?.enter_sends)) void save()
    else return
    event.preventDefault()
  }
  return (
    <form
      class="edit"
      aria-label={t('Edit message')}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        ref={area}
        dir="auto"
        aria-label={t('Message text')}
        maxLength={lengthMax}
        value={text.value}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="edit-bar">
        <button class="button primary" disabled={isSaving.value || text.value.trim() === ''}>
          {t('Save')}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {t('Cancel')}
        </button>
        <TimeLeft message={message} />
      </div>
    </form>
  )
}

/** The text of an edit, which is on the device until it is saved or discarded. */
function useEdit(message: Message, first: string) {
  const { id } = message
  const app = useApp()
  // The text that the edit replaces.
  const replaced = useRef(first)
  const { editingId } = app.part(MessageParts)
  const edits = app.part(UnsavedEdits)
  const text = useSignal(edits.find(id) ?? first)
  const problem = useSignal<string | undefined>(undefined)
  const isSaving = useSignal(false)
  const change = (next: string) => {
    text.value = next
    edits.set(id, next)
  }
  const close = () => {
    edits.remove(id)
    editingId.value = undefined
    document.getElementById(`message-${id}`)?.focus({ preventScroll: true })
  }
  const cancel = () => {
    const discarded = text.value
    close()
    if (discarded === replaced.current) return
    const takeBack = () => {
      edits.set(id, discarded)
      editingId.value = id
    }
    showToast(t('Changes discarded'), { text: t('Undo'), run: takeBack })
  }
  const save = async () => {
    if (isSaving.value) return
    if (text.value === replaced.current) return close()
    isSaving.value = true
    problem.value = undefined
    try {
      const content = text.value
      const hash = await hashOf(replaced.current)
      await app.api.call('PATCH /messages/{message_id}', {
        message_id: id,
        content,
        ...(hash === undefined ? {} : { prev_content_sha256: hash }),
      })
      close()
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'EXPECTATION_MISMATCH'
      if (isChanged) replaced.current = await loadText(app, message).catch(() => replaced.current)
      problem.value = isChanged
        ? t('This message was changed elsewhere meanwhile. Save again to replace that text.')
        : problemText(error)
    } finally {
      isSaving.value = false
    }
  }
  return { text, problem, isSaving, change, cancel, save }
}

/** How long the text can still be changed, if that is limited. */
function TimeLeft({ message }: { readonly message: Message }) {
  const app = useApp()
  const until = editableUntil(useState(), message)
  if (until === undefined) return null
  const minutes = Math.ceil((until - app.minute.value / 1_000) / MINUTE_SECONDS)
  return (
    <small>
      {minutes <= 0
        ? t('The time to edit has passed')
        : t('{minutes, plural, one {One minute} other {# minutes}} left to save', { minutes })}
    </small>
  )
}

/** SHA-256 in hex, so that nobody's later edit is overwritten; browsers have it only over TLS. */
async function hashOf(text: string): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (!subtle) return undefined
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
