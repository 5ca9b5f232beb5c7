/** Saved snippets: texts to be used again. */

import { SNIPPET_TITLE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp, useState } from '../../app/app.ts'
import { useKept } from '../../ui/kept.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { TextSetting } from '../../ui/setting.tsx'
import { sayProblem } from '../../ui/toasts.tsx'
import { TextAreaField, TextField } from '../../ui/fields.tsx'

export function Snippets() {
  const { api } = useApp()
  const state = useState()
  const snippets = (state.saved_snippets ?? []).toSorted((a, b) => a.title.localeCompare(b.title))
  const update = (id: number, changes: { title?: string; content?: string }) =>
    api.call('PATCH /saved_snippets/{saved_snippet_id}', { saved_snippet_id: id, ...changes })
  const remove = (id: number) =>
    void api.call('DELETE /saved_snippets/{saved_snippet_id}', { saved_snippet_id: id }).catch(sayProblem)
  return (
    <>
      <NewSnippet />
      {snippets.map(({ id, title, content }) => (
        <section class="settings-part" key={id} aria-label={title}>
          <TextSetting
            label="Title"
            value={title}
            lengthMax={SNIPPET_TITLE_LENGTH_MAX}
            onSave={(next) => update(id, { title: next.trim() })}
          />
          <TextSetting
            label="Text"
            value={content}
            lengthMax={state.max_message_length}
            onSave={(next) => update(id, { content: next })}
            isLong
          />
          <div class="actions start">
            <button class="button" aria-label={`Delete ${title}`} onClick={() => remove(id)}>
              Delete
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
  const title = useKept(FORM, 'title', '')
  const content = useKept(FORM, 'content', '')
  const saving = useSaving()
  const create = async (event: Event) => {
    event.preventDefault()
    const isMade = await saving.save(() =>
      api.call('POST /saved_snippets', { title: title.value.trim(), content: content.value }),
    )
    if (!isMade) return
    title.value = ''
    content.value = ''
  }
  return (
    <section class="settings-part">
      <h2>Saved snippets</h2>
      <p class="quiet-text">Texts that you write often. Only you see them.</p>
      <form class="form" onSubmit={(event) => void create(event)}>
        <TextField label="Title of a new one" value={title} required maxLength={SNIPPET_TITLE_LENGTH_MAX} />
        <TextAreaField
          label="Its text"
          value={content}
          required
          rows={3}
          maxLength={state.max_message_length}
        />
        <div class="actions start">
          <button class="button primary">Save snippet</button>
          <SavedNote saving={saving} />
        </div>
      </form>
    </section>
  )
}
