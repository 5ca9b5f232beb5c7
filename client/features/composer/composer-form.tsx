/** The form that a message is written in. Each change is a draft at once, so nothing typed is lost. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { KeyboardMove } from '../../ui/keyboard-move.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { useHandle } from '../../ui/use-handle.ts'
import { Uploads } from '../../app/uploads.ts'
import { type EditName, editText } from '../../store/composing/edit-text.ts'
import { emojiText } from '../../store/emoji/skin-tone.ts'
import { splitNear } from '../../store/narrows/narrow.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { FileButton, filesOf, takeFiles } from './files.tsx'
import { DraftHint } from './draft-hint.tsx'
import { GuestNote } from './guest-note.tsx'
import { MessageArea } from './message-area.tsx'
import { Preview } from './preview.tsx'
import { SendButtons } from './send-buttons.tsx'
import { applyEdit, insertText } from './text-area.ts'
import { Toolbar } from './toolbar.tsx'
import { TopicField } from './topic-field.tsx'
import { UploadRows } from './upload-rows.tsx'
import { ComposerNotes } from './composer-notes.tsx'
import { useSend } from './use-send.ts'

export function ComposerForm({ place }: { readonly place: DraftPlace }) {
  const app = useApp()
  const state = useState()
  const area = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isPreview = useSignal(false)
  const isDropping = useSignal(false)

  const entry = app.drafts.at(place)
  const content = entry?.content ?? ''
  const lengthMax = state.max_message_length ?? MESSAGE_LENGTH_MAX
  const excess = countCodePoints(content.trim()) - lengthMax
  const isUploading = app.part(Uploads).entries.value.some(({ placeholder }) => content.includes(placeholder))
  const mayNotSend = content.trim() === '' || excess > 0 || isUploading

  const { hasTopicField, needsTopic, askedCount, send, sendLater, cancel } = useSend({
    place,
    content,
    mayNotSend,
    onNoTopic: () => form.current?.querySelector('input')?.focus(),
    onSent: () => {
      isPreview.value = false
      area.current?.focus()
    },
  })

  const { edit, insert } = useField(area, form)
  const upload = (files: readonly File[]) => {
    isPreview.value = false
    for (const placeholder of takeFiles(app, place, files)) insert(`${placeholder} `)
  }
  return (
    <form
      ref={form}
      class={isDropping.value ? 'composer dropping' : 'composer'}
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      {...dropOf(isDropping, upload)}
    >
      {hasTopicField && place.type === 'channel' && <TopicField place={place} isMissing={needsTopic.value} />}
      {isPreview.value && <Preview content={content} />}
      <MessageArea
        area={area}
        place={place}
        content={content}
        isHidden={isPreview.value}
        onSend={send}
        onEdit={edit}
        onFiles={upload}
      />
      <UploadRows place={place} />
      <GuestNote place={place} />
      <ComposerNotes
        askedCount={askedCount.value}
        excess={excess}
        lengthMax={lengthMax}
        onSend={send}
        onCancel={cancel}
      />
      <div class="bar">
        <FileButton onFiles={upload} />
        <EmojiButton hasTones onChoose={(emoji) => insert(`${emojiText(emoji)} `)} />
        <Toolbar onChoose={edit} />
        <button
          type="button"
          class="ghost"
          aria-label="Preview"
          title="Preview"
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.value)}
        >
          <RareIcon name="eye" />
        </button>
        <DraftHint entry={entry} />
        <SendButtons isDisabled={mayNotSend} isUploading={isUploading} onSendLater={sendLater} />
      </div>
    </form>
  )
}

/** Puts the focus into the field, offers it to the rest of the page, and changes its text. */
function useField(area: RefObject<HTMLTextAreaElement | null>, form: RefObject<HTMLFormElement | null>) {
  const app = useApp()
  useEffect(() => {
    // The code of the composer may come late, when a person already does something else; a link leads to its message.
    const isTaken = document.activeElement?.closest('article, dialog, input, textarea, [role="menu"]') != null
    const route = app.router.route.peek()
    const isAtMessage = route.view === 'narrow' && splitNear(route.narrow).nearId !== undefined
    if (!isTaken && !isAtMessage && !app.part(KeyboardMove).isShown && matchMedia('(pointer: fine)').matches)
      area.current?.focus({ preventScroll: true })
    return () => app.typingNotifier.stop()
  }, [])

  useHandle('composer', () => ({
    focus: () => area.current?.focus(),
    has: (element) => form.current?.contains(element) === true,
    insert: (words) => void insert(words),
  }))

  const edit = (name: EditName) => {
    const { current } = area
    if (!current) return
    const { value: text, selectionStart: start, selectionEnd: end } = current
    applyEdit(current, editText(name, { text, start, end }))
  }
  const insert = (words: string) => area.current && insertText(area.current, words)
  return { edit, insert }
}

/** Takes files that are dropped on the form. */
function dropOf(isDropping: Signal<boolean>, upload: (files: readonly File[]) => void) {
  return {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      isDropping.value = true
    },
    onDragLeave: () => void (isDropping.value = false),
    onDrop(event: DragEvent) {
      isDropping.value = false
      const files = filesOf(event.dataTransfer)
      if (files.length === 0) return
      event.preventDefault()
      upload(files)
    },
  }
}
