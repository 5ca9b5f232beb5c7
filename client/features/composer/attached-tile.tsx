/** A file that the message links to. The text of its link says to screen readers what it shows. */

import { useSignal } from '@preact/signals'
import { useApp } from '../../app/app.ts'
import {
  type AttachedFile,
  describeFile,
  fileNameOf,
  isPicture,
  removeFile,
} from '../../store/composing/attached-files.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FileLook } from './file-look.tsx'
import { t } from '../../texts/texts.ts'

interface AttachedTileProps {
  readonly place: DraftPlace
  readonly content: string
  readonly file: AttachedFile
}

export function AttachedTile({ place, content, file }: AttachedTileProps) {
  const app = useApp()
  const isAsking = useSignal(false)
  const { path, label } = file
  const name = fileNameOf(path)
  const change = (text: string) => void app.drafts.change(place, { content: text })
  return (
    <li class="tile" title={label === '' ? name : label}>
      <FileLook name={name} picture={isPicture(path) ? path : undefined} />
      <span class="tile-tools">
        <button
          type="button"
          class="ghost"
          aria-label={t('Describe {name}', { name })}
          title={t('Describe')}
          onClick={() => (isAsking.value = true)}
        >
          <Icon name="pen" />
        </button>
        <button
          type="button"
          class="ghost"
          aria-label={t('Remove {name}', { name })}
          title={t('Remove')}
          onClick={() => change(removeFile(content, file))}
        >
          <Icon name="close" />
        </button>
      </span>
      {isAsking.value && (
        <Description
          file={file}
          onSave={(text) => change(describeFile(content, file, text))}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </li>
  )
}

/** Longer descriptions belong into the message. */
const LENGTH_MAX = 250

interface DescriptionProps {
  readonly file: AttachedFile
  readonly onSave: (text: string) => void
  readonly onClose: () => void
}

function Description({ file, onSave, onClose }: DescriptionProps) {
  const text = useSignal(file.label)
  const save = () => {
    onClose()
    onSave(text.value.trim() === '' ? fileNameOf(file.path) : text.value.trim())
  }
  return (
    <Dialog title={t('Describe {name}', { name: fileNameOf(file.path) })} onClose={onClose}>
      {/* Not a form: it stands in that of the message. */}
      <div
        role="presentation"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t('Description')}
          hint={t('Screen readers say it in place of the file, and it is the text of the link.')}
          value={text}
          maxLength={LENGTH_MAX}
        />
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="button" class="button primary" onClick={save}>
          {t('Save')}
        </button>
      </div>
    </Dialog>
  )
}
