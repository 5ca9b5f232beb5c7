/** The role, channels and lifetime of an invitation. */

import { ROLES, type Role } from '../../../packages/rules/roles.ts'
import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { useFormField } from '../../ui/use-form-field.ts'
import { roleOptions, ROLES_IN_WORDS } from './roles.ts'
import { SelectField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

const DAY_MINUTES = 1_440
const LIFETIMES: readonly (readonly [minutes: string, text: string])[] = [
  [String(DAY_MINUTES), t('One day')],
  [String(3 * DAY_MINUTES), t('Three days')],
  [String(10 * DAY_MINUTES), t('Ten days')],
  [String(30 * DAY_MINUTES), t('Thirty days')],
  ['', t('Never')],
]

export interface Grants {
  readonly role: Signal<Role>
  readonly minutes: Signal<string>
  readonly hasDefaults: Signal<boolean>
  readonly channelIds: Signal<readonly number[]>
}

/** They are fields of a form. */
export function useGrants(form: string): Grants {
  return {
    role: useFormField<Role>(form, 'role', ROLES.member),
    minutes: useFormField(form, 'minutes', String(10 * DAY_MINUTES)),
    hasDefaults: useFormField(form, 'hasDefaults', true),
    channelIds: useFormField<readonly number[]>(form, 'channelIds', []),
  }
}

/** The grants as parameters of the API. */
export function grantParams({ role, minutes, hasDefaults, channelIds }: Grants) {
  return {
    invite_as: role.value,
    invite_expires_in_minutes: minutes.value === '' ? null : Number(minutes.value),
    include_realm_default_subscriptions: hasDefaults.value,
    stream_ids: channelIds.value,
  }
}

export function GrantFields({ grants }: { readonly grants: Grants }) {
  const state = useState()
  const id = useId()
  const { role, minutes, hasDefaults, channelIds } = grants
  const defaults = new Set(state.realm_default_streams ?? [])
  const others = (state.subscriptions ?? [])
    .filter((one) => !one.is_archived && !(hasDefaults.value && defaults.has(one.stream_id)))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const toggle = (channelId: number, isOn: boolean) => {
    const rest = channelIds.value.filter((one) => one !== channelId)
    channelIds.value = isOn ? [...rest, channelId] : rest
  }
  return (
    <>
      <div class="setting-grid">
        <div class="field">
          <label for={`${id}-role`}>{t('Join as')}</label>
          <select
            id={`${id}-role`}
            value={String(role.value)}
            onChange={(event) => (role.value = Number(event.currentTarget.value) as Role)}
          >
            {roleOptions(state).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <small>{ROLES_IN_WORDS[role.value]}</small>
        </div>
        <SelectField label={t('Expires after')} value={minutes} options={LIFETIMES} />
      </div>
      <fieldset class="choices">
        <legend>{t('Channels to join')}</legend>
        <label>
          <input
            type="checkbox"
            checked={hasDefaults.value}
            onChange={(event) => (hasDefaults.value = event.currentTarget.checked)}
          />
          {t('Default channels')}
        </label>
        <div class="channel-choices">
          {others.map(({ stream_id, name }) => (
            <label key={stream_id}>
              <input
                type="checkbox"
                checked={channelIds.value.includes(stream_id)}
                onChange={(event) => toggle(stream_id, event.currentTarget.checked)}
              />
              <span dir="auto">{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}
