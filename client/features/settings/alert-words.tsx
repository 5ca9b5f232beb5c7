/** Words that notify like a mention. */

import { ALERT_WORD_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { emptySaved, SavedNote, useSaving } from '../../ui/saving.tsx'
import { showError } from '../../ui/toasts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

export function AlertWords() {
  const { api } = useApp()
  const words = useState().alert_words ?? []
  const text = useSignal('')
  const saving = useSaving()
  const add = async (event: Event) => {
    event.preventDefault()
    const typed = text.peek()
    const isAdded = await saving.save(() =>
      api.call('POST /users/me/alert_words', { alert_words: [typed.trim()] }),
    )
    if (isAdded) emptySaved(text, typed)
  }
  const remove = (word: string) =>
    void api.call('DELETE /users/me/alert_words', { alert_words: [word] }).catch(showError)
  return (
    <section class="settings-part">
      <h2>{t('Alert words')}</h2>
      <p class="quiet-text">{t('Messages with these words notify you like a mention.')}</p>
      <form class="inline-form" onSubmit={(event) => void add(event)}>
        <TextField label={t('New word')} value={text} required maxLength={ALERT_WORD_LENGTH_MAX} />
        <button class="button primary">{t('Add')}</button>
        <SavedNote saving={saving} />
      </form>
      <ul class="chips">
        {words.map((word) => (
          <li key={word} class="chip">
            <span dir="auto">{word}</span>
            <button class="ghost" aria-label={t('Remove {word}', { word })} onClick={() => remove(word)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
