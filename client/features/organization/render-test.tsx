/** A text as a message would show it, to try linkifiers and emoji. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { t } from '../../texts/texts.ts'

export function RenderTest() {
  const { api } = useApp()
  const saving = useSaving()
  const text = useSignal('')
  const html = useSignal('')
  const id = useId()
  const test = (event: Event) => {
    event.preventDefault()
    void saving.save(async () => {
      const { rendered } = await api.call('POST /messages/render', { content: text.value })
      html.value = rendered
    })
  }
  return (
    <section class="settings-part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('Try it')}</h2>
      <form class="inline-form" onSubmit={test}>
        <div class="field">
          <label for={id}>{t('Message text')}</label>
          <input
            id={id}
            dir="auto"
            required
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </div>
        <button class="button">{t('Show')}</button>
      </form>
      {saving.state.value.phase === 'failed' && <SavedNote saving={saving} />}
      {html.value !== '' && (
        <figure class="preview" aria-label={t('The message')}>
          <ServerHtml html={html.value} class="rendered" />
        </figure>
      )}
    </section>
  )
}
