/** Saved snippets: texts to be used again. */

import { SNIPPET_TITLE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp, useState } from '../../app/app.ts'
import { useFormField } from '../../ui/use-form-field.ts'
import { emptySaved, SavedNote, useSaving } from '../../ui/saving.tsx'
import { TextSetting } from '../../ui/setting.tsx'
import { showError } from '../../ui/toasts.tsx'
import { TextAreaField, TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

export function Snippets() {
  const { api } = useApp()
  const state = useState()
  const snippets = (state.saved_snippets ?? []).toSorted((a, b) => a.title.localeCompare(b.title))
  const update = (id: number, changes: { title?: string; content?: string }) =>
    api.call('PATCH /saved_snippets/{saved_snippet_id}', { saved_snippet_id: id, ...changes })
  const remove = (id: number) =>
    void api.call('DELETE /saved_snippets/{saved_snippet_id}', { saved_snippet_id: id }).catch(showError)
  return (
    <>
      <NewSnippet />
      {snippets.map(({ id, title, content }) => (
        <section class="settings-part" key={id} aria-label={title}>
          <TextSetting
            label={t('Title')}
            value={title}
            lengthMax={SNIPPET_TITLE_LENGTH_MAX}
            onSave={(next) => update(id, { title: next.trim() })}
          />
          <TextSetting
            label={t('Text')}
            value={content}
            lengthMax={state.max_message_length}
            onSave={(next) => update(id, { content: next })}
            isLong
          />
          <div class="actions start">
            <button class="button" aria-label={t('Delete {title}', { title })} onClick={() => remove(id)}>
              {t('Delete')}
            </button>
          </div>
        </section>
      ))}
    </>
  )
}

const FORM = 'new snippet'

function NewSnippet() {
  const { api } = useApp()
  const state = useState()
  const title = useFormField(FORM, 'title', '')
  const content = useFormField(FORM, 'content', '')
  const saving = useSaving()
  const create = async (event: Event) => {
    event.preventDefault()
    const [typedTitle, typed] = [title.peek(), content.peek()]
    const isMade = await saving.save(() =>
      api.call('POST /saved_snippets', { title: typedTitle.trim(), content: typed }),
    )
    if (!isMade) return
    emptySaved(title, typedTitle)
    emptySaved(content, typed)
  }
  return (
    <section class="settings-part">
      <h2>{t('Saved snippets')}</h2>
      <p class="quiet-text">{t('Text you write often. Only you can see it.')}</p>
      <form class="form" onSubmit={(event) => void create(event)}>
        <TextField
          label={t('New snippet title')}
          value={title}
          required
          maxLength={SNIPPET_TITLE_LENGTH_MAX}
        />
        <TextAreaField
          label={t('New snippet text')}
          value={content}
          required
          rows={3}
          maxLength={state.max_message_length}
        />
        <div class="actions start">
          <button class="button primary">{t('Save snippet')}</button>
          <SavedNote saving={saving} />
        </div>
      </form>
    </section>
  )
}
