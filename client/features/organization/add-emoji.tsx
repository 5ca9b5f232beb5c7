/** Uploads an emoji: a picture with a preview, and a name. */

import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

const TYPES = 'image/png,image/jpeg,image/gif,image/webp'
const NAME_LENGTH_MAX = 100

export function AddEmoji() {
  const { api } = useApp()
  const saving = useSaving()
  const file = useSignal<File | undefined>(undefined)
  const name = useSignal('')
  const preview = useSignal('')
  const id = useId()
  useEffect(() => {
    const chosen = file.value
    if (!chosen) {
      preview.value = ''
      return
    }
    const address = URL.createObjectURL(chosen)
    preview.value = address
    return () => URL.revokeObjectURL(address)
  }, [file.value])
  const choose = (chosen: File | undefined) => {
    file.value = chosen
    if (chosen && name.value === '') name.value = nameFrom(chosen.name)
  }
  const add = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const chosen = file.value
    if (!chosen) return
    const params = { emoji_name: name.value.trim() }
    if (!(await saving.save(() => api.callWithFile('POST /realm/emoji/{emoji_name}', params, chosen)))) return
    // Another picture may have been chosen since.
    if (file.peek() !== chosen) return
    form.reset()
    file.value = undefined
    name.value = ''
  }
  return (
    <form class="form" onSubmit={(event) => void add(event)}>
      <div class="setting-grid">
        <div class="field">
          <label for={`${id}-file`}>{t('Picture')}</label>
          <input
            id={`${id}-file`}
            type="file"
            accept={TYPES}
            required
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
          <small>{t('PNG, JPEG, GIF or WebP, animated or not. It will be made square.')}</small>
        </div>
        <TextField
          label={t('Name')}
          value={name}
          required
          maxLength={NAME_LENGTH_MAX}
          placeholder="party_parrot"
          hint={t('Lowercase letters, digits, - and _. People type it between colons.')}
        />
      </div>
      <div class="actions start">
        {preview.value !== '' && (
          <>
            <img class="emoji-picture" src={preview.value} alt={t('Preview')} />
            <img class="emoji-picture large" src={preview.value} alt="" />
          </>
        )}
        <button class="button primary" disabled={!file.value || name.value.trim() === ''}>
          {t('Add emoji')}
        </button>
        <SavedNote saving={saving} />
      </div>
    </form>
  )
}

/** A name for the emoji from that of its file. */
function nameFrom(fileName: string): string {
  const end = fileName.lastIndexOf('.')
  return (end > 0 ? fileName.slice(0, end) : fileName).toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}
