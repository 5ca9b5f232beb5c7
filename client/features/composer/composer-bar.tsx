/** The controls of the composer: files, emoji and sending; while it is in use also formatting, preview and send later. */

import type { Signal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import type { EditName } from '../../store/composing/edit-text.ts'
import { emojiText } from '../../store/emoji/skin-tone.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { memo } from '../../ui/memo.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { FileButton } from './files.tsx'
import { SendButtons } from './send-buttons.tsx'
import { Toolbar } from './toolbar.tsx'
import { t } from '../../texts/texts.ts'

const CallButton = lazy(async () => (await import('./call-button.tsx')).CallButton, { isQuiet: true })

interface ComposerBarProps {
  readonly place: DraftPlace
  /** Whether the server has the words; undefined without words. */
  readonly isSaved: boolean | undefined
  readonly isPreview: Signal<boolean>
  readonly mayNotSend: boolean
  readonly isUploading: boolean
  readonly edit: (name: EditName) => void
  readonly insert: (words: string) => void
  readonly upload: (files: readonly File[]) => void
  readonly onSendLater: (atMs: number) => void
}

/** A key in the text draws it only if it changes something here. */
export const ComposerBar = memo((props: ComposerBarProps) => {
  const { place, isSaved, isPreview, mayNotSend, isUploading, edit, insert, upload, onSendLater } = props
  return (
    <>
      <FileButton onFiles={upload} />
      <div class="bar">
        <Toolbar onChoose={edit} />
        <EmojiButton hasTones onChoose={(emoji) => insert(`${emojiText(emoji)} `)} />
        <button
          type="button"
          class="ghost for-use"
          aria-label={t('Mention')}
          title={t('Mention')}
          // The text keeps its cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => insert('@')}
        >
          <Icon name="mention" />
        </button>
        <button
          type="button"
          class="ghost for-use"
          aria-label={t('Preview')}
          title={t('Preview')}
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.value)}
        >
          <RareIcon name="eye" />
        </button>
        {(useState().realm_video_chat_provider ?? 0) > 0 && <CallButton {...{ place, insert }} />}
        <DraftHint isSaved={isSaved} />
        <SendButtons isDisabled={mayNotSend} isUploading={isUploading} onSendLater={onSendLater} />
      </div>
    </>
  )
})

/** Says where the words are safe. */
function DraftHint({ isSaved }: Pick<ComposerBarProps, 'isSaved'>) {
  const isShared = useState().user_settings?.enable_drafts_synchronization ?? false
  const hint = isSaved && isShared ? t('Draft saved') : t('Draft saved on this device')
  return <span class="hint for-use">{isSaved !== undefined && hint}</span>
}
