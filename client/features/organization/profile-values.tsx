/** The values of a person in the profile fields of the organization, for administrators. */

import { useSignal } from '@preact/signals'
import type { ProfileField, User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Choice, TextSetting } from '../../ui/setting.tsx'
import { optionsOf } from './profile-field-kinds.ts'
import { t } from '../../texts/texts.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

export function ProfileValues({ user }: { readonly user: User }) {
  const state = useState()
  const fields = state.custom_profile_fields ?? []
  if (fields.length === 0) return null
  return (
    <section class="settings-part" aria-labelledby="person-profile">
      <h2 id="person-profile">{t('Profile')}</h2>
      {fields.map((field) => (
        <ProfileValue key={field.id} user={user} field={field} />
      ))}
    </section>
  )
}

interface ProfileValueProps {
  readonly user: User
  readonly field: ProfileField
}

function ProfileValue({ user, field }: ProfileValueProps) {
  const { api } = useApp()
  const value = user.profile_data?.[String(field.id)]?.value ?? ''
  const save = (next: string | readonly number[]) =>
    api.call('PATCH /users/{user_id}', {
      user_id: user.user_id,
      profile_data: [{ id: field.id, value: next.length === 0 ? null : next }],
    })
  const shared = { label: field.name, hint: field.hint === '' ? undefined : field.hint, value, onSave: save }
  switch (field.type) {
    case PROFILE_FIELD_TYPES.choice:
      return <Choice {...shared} options={[['', t('Not chosen')], ...optionsOf(field)]} />
    case PROFILE_FIELD_TYPES.users:
      return <PeopleValue label={field.name} value={value} onSave={save} />
    case PROFILE_FIELD_TYPES.longText:
      return <TextSetting {...shared} isLong />
    case PROFILE_FIELD_TYPES.date:
      return <TextSetting {...shared} isDate />
    default:
      return <TextSetting {...shared} />
  }
}

interface PeopleValueProps {
  readonly label: string
  /** JSON with ids. */
  readonly value: string
  readonly onSave: (ids: readonly number[]) => Promise<unknown>
}

function PeopleValue({ label, value, onSave }: PeopleValueProps) {
  const saving = useSaving()
  const chosen = useSignal<readonly number[] | undefined>(undefined)
  const ids = chosen.value ?? (value === '' ? [] : (JSON.parse(value) as readonly number[]))
  const change = async (next: readonly number[]) => {
    chosen.value = next
    await saving.save(() => onSave(next))
    chosen.value = undefined
  }
  return (
    <div class="setting">
      <PeoplePicker label={label} chosen={ids} without={[]} onChange={(next) => void change(next)} />
      <SavedNote saving={saving} />
    </div>
  )
}
