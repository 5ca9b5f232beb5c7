/** The form that a message is written in: one line at rest. Each change is a draft at once, so nothing typed is lost. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { Uploads } from '../../app/uploads.ts'
import { type DraftPlace, isEmpty } from '../../store/drafts/draft-entry.ts'
import { Attachments } from './attachments.tsx'
import { DropVeil } from './drop-veil.tsx'
import { takeFiles } from './files.tsx'
import { GuestNote } from './guest-note.tsx'
import { MessageArea } from './message-area.tsx'
import { Preview } from './preview.tsx'
import { TopicField } from './topic-field.tsx'
import { ComposerBar } from './composer-bar.tsx'
import { ComposerNotes } from './composer-notes.tsx'
import { gapBefore } from './text-area.ts'
import { useField } from './use-field.ts'
import { useHeight } from './use-height.ts'
import { useInUse } from './use-in-use.ts'
import { useSend } from './use-send.ts'
import { useSteady } from '../../ui/use-steady.ts'
import { t } from '../../texts/texts.ts'

export function ComposerForm({ place }: { readonly place: DraftPlace }) {
  const app = useApp()
  const state = useState()
  const area = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isPreview = useSignal(false)

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
  const [steadyEdit, steadyInsert, steadySendLater] = [
    useSteady(edit),
    useSteady(insert),
    useSteady(sendLater),
  ]
  const upload = useSteady((files: readonly File[]) => {
    isPreview.value = false
    for (const placeholder of takeFiles(app, place, files))
      insert(`${gapBefore(area.current)}${placeholder} `)
  })
  const isSaved = entry && !isEmpty(entry) ? entry.isSaved : undefined
  const hasWords = content !== '' || isPreview.value || (hasTopicField && (entry?.topic ?? '') !== '')
  const { isInUse, watch } = useInUse(hasWords)
  useHeight(form)
  return (
    <>
      <form
        ref={form}
        class={isInUse ? 'composer in-use' : 'composer'}
        aria-label={t('Write a message')}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        {...watch}
      >
        {hasTopicField && place.type === 'channel' && (
          <TopicField place={place} isMissing={needsTopic.value} />
        )}
        {isPreview.value && <Preview content={content} />}
        <MessageArea {...{ area, place, content }} isHidden={isPreview.value} onSend={send} onEdit={edit} />
        <Attachments place={place} content={content} />
        <GuestNote place={place} />
        <ComposerNotes
          askedCount={askedCount.value}
          {...{ excess, lengthMax }}
          onSend={send}
          onCancel={cancel}
        />
        <ComposerBar
          {...{ place, isSaved, isPreview, mayNotSend, isUploading, upload }}
          {...{ edit: steadyEdit, insert: steadyInsert, onSendLater: steadySendLater }}
        />
      </form>
      <DropVeil place={place} onFiles={upload} />
    </>
  )
}
