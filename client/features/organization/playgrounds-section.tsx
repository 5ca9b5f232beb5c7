/** Playgrounds: sites that run the code of code blocks. */

import { useApp, useState } from '../../app/app.ts'
import { showError } from '../../ui/toasts.tsx'
import { SmallForm } from './small-form.tsx'

const FIELDS = [
  { name: 'language', label: 'Language', placeholder: 'rust', lengthMax: 40 },
  { name: 'name', label: 'Name', placeholder: 'Rust playground', lengthMax: 100 },
  {
    name: 'template',
    label: 'Address',
    placeholder: 'https://play.rust-lang.org/?code={code}',
    lengthMax: 1_000,
    hint: 'Use {code} for the code.',
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
      <h2 id="playgrounds">Code playgrounds</h2>
      <p class="quiet-text">Code blocks in a language get a link that opens the code on another site.</p>
      {state.is_admin && (
        <SmallForm
          fields={FIELDS}
          action="Add playground"
          onSave={({ language, name, template }) =>
            api.call('POST /realm/playgrounds', {
              name,
              highlighter_language: language,
              url_template: template,
            })
          }
        />
      )}
      {playgrounds.length === 0 && <p class="empty">No playgrounds yet</p>}
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
                aria-label={`Remove ${name}`}
                onClick={() => void remove(id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
