/** Playgrounds: sites that run the code of code blocks. */

import { useApp, useState } from '../../app/app.ts'
import { showError } from '../../ui/toasts.tsx'
import { SmallForm } from './small-form.tsx'
import { t } from '../../texts/texts.ts'

const FIELDS = [
  { name: 'language', label: t('Language'), placeholder: 'rust', lengthMax: 40 },
  { name: 'name', label: t('Name'), placeholder: t('Rust playground'), lengthMax: 100 },
  {
    name: 'template',
    label: t('Address'),
    placeholder: 'https://play.rust-lang.org/?code={code}',
    lengthMax: 1_000,
    hint: t('Use {code} for the code.'),
  },
] as const

export function PlaygroundsSection() {
  const { api } = useApp()
  const state = useState()
  const playgrounds = state.realm_playgrounds ?? []
  const remove = (id: number) =>
    api.call('DELETE /realm/playgrounds/{playground_id}', { playground_id: id }).catch(showError)
  return (
    <section class="settings-part" aria-labelledby="playgrounds">
      <h2 id="playgrounds">{t('Code playgrounds')}</h2>
      <p class="quiet-text">
        {t('Code blocks in a language get a link that opens the code on another site.')}
      </p>
      {state.is_admin && (
        <SmallForm
          fields={FIELDS}
          action={t('Add playground')}
          onSave={({ language, name, template }) =>
            api.call('POST /realm/playgrounds', {
              name,
              highlighter_language: language,
              url_template: template,
            })
          }
        />
      )}
      {playgrounds.length === 0 && <p class="empty">{t('No playgrounds yet')}</p>}
      <ul>
        {playgrounds.map(({ id, name, highlighter_language: language, url_template: template }) => (
          <li key={id} class="card">
            <div class="card-text">
              <span class="card-name" dir="auto">
                {name}
              </span>
              <span class="card-about">{template}</span>
            </div>
            <small>{language}</small>
            {state.is_admin && (
              <button
                class="button small danger"
                aria-label={t('Remove {name}', { name })}
                onClick={() => void remove(id)}
              >
                {t('Remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
