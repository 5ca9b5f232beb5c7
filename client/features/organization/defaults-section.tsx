/** The settings with which new people start. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { Choice, Toggle } from '../../ui/setting.tsx'
import { DEFAULTS_PARTS } from './default-settings.ts'
import { t } from '../../texts/texts.ts'

export function DefaultsSection() {
  const { api } = useApp()
  const state = useState()
  const values = (state.realm_user_settings_defaults ?? {}) as Readonly<Record<string, unknown>>
  const save = (name: string, value: unknown) =>
    api.call('PATCH /realm/user_settings_defaults', {
      [name]: value,
    } as ParamsOf<'PATCH /realm/user_settings_defaults'>)
  return (
    <>
      <p class="section-about">
        {t(
          'New people start with these settings, and can change them. Nothing changes for people who are already here.',
        )}
      </p>
      {DEFAULTS_PARTS.map(({ id, title, flags, choices }) => (
        <section key={id} class="settings-part" aria-labelledby={`defaults-${id}`}>
          <h2 id={`defaults-${id}`}>{title}</h2>
          {flags.map(([name, label]) => (
            <Toggle
              key={name}
              label={label}
              value={values[name] === true}
              onSave={(isOn) => save(name, isOn)}
            />
          ))}
          {choices.length > 0 && (
            <div class="setting-grid">
              {choices.map(({ name, label, options }) => (
                <Choice
                  key={name}
                  label={label}
                  value={String(values[name])}
                  options={options}
                  onSave={(option) => save(name, typeof values[name] === 'number' ? Number(option) : option)}
                />
              ))}
            </div>
          )}
        </section>
      ))}
    </>
  )
}
