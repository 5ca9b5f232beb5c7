/** The own profile: name, picture, time zone, and the organization's fields. */

import {
  PROFILE_LONG_TEXT_LENGTH_MAX,
  PROFILE_SHORT_TEXT_LENGTH_MAX,
  FULL_NAME_LENGTH_MAX,
} from '../../../packages/rules/limits.ts'
import type { ProfileField, User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { choicesOfField, fieldsOf, peopleIn } from '../../store/derived/profile.ts'
import { usersById } from '../../store/derived/users.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Choice, TextSetting } from '../../ui/setting.tsx'
import { useOwnSettings } from './use-own-settings.ts'
import { t } from '../../texts/texts.ts'
import { uploadOwnPicture } from '../../app/api.ts'
import { PictureSetting } from '../../ui/picture-setting.tsx'
import { Face } from '../people/face.tsx'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

export function OwnProfile() {
  const state = useState()
  const { settings, change } = useOwnSettings()
  const user = usersById(state).get(state.user_id ?? 0)
  if (!user || !settings) return null
  const mayRename =
    state.is_admin || !(state.realm_name_changes_disabled || state.server_name_changes_disabled)
  const zones = Intl.supportedValuesOf('timeZone')
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const all = [...new Set([settings.timezone, here, ...zones])].filter((one) => one !== '').sort()
  return (
    <>
      <section class="settings-part">
        <h2>{t('You')}</h2>
        <OwnPicture user={user} />
        <TextSetting
          label={t('Name')}
          value={user.full_name}
          lengthMax={FULL_NAME_LENGTH_MAX}
          onSave={(name) => change({ full_name: name.trim() })}
          isDisabled={!mayRename}
          hint={mayRename ? undefined : t('Only administrators can change names.')}
        />
        <Choice
          label={t('Time zone')}
          value={settings.timezone}
          options={[['', t('Not set')], ...all.map((one) => [one, one.replaceAll('_', ' ')] as const)]}
          onSave={(timezone) => change({ timezone })}
          hint={
            settings.timezone === here
              ? undefined
              : t('This device is in {here}.', { here: here.replaceAll('_', ' ') })
          }
        />
      </section>
      <section class="settings-part">
        <h2>{t('Profile')}</h2>
        {fieldsOf(state).map((field) => (
          <FieldSetting key={field.id} field={field} value={user.profile_data?.[field.id]?.value ?? ''} />
        ))}
        {fieldsOf(state).length === 0 && <p class="quiet-text">{t('No profile fields yet')}</p>}
        <div class="actions start">
          <a class="button" href={`#user/${user.user_id}`}>
            {t('View as others see it')}
          </a>
        </div>
      </section>
    </>
  )
}

interface FieldSettingProps {
  readonly field: ProfileField
  readonly value: string
}

function FieldSetting({ field, value }: FieldSettingProps) {
  const { api } = useApp()
  const save = (next: string | readonly number[]) =>
    next.length === 0
      ? api.call('DELETE /users/me/profile_data', { data: [field.id] })
      : api.call('PATCH /users/me/profile_data', { data: [{ id: field.id, value: next }] })
  const shared = {
    label: field.name,
    hint: field.hint === '' ? undefined : field.hint,
    value,
    onSave: save,
    isDisabled: !field.editable_by_user,
  }
  switch (field.type) {
    case PROFILE_FIELD_TYPES.choice:
      return <Choice {...shared} options={[['', t('None')], ...choicesOfField(field)]} />
    case PROFILE_FIELD_TYPES.date:
      return <TextSetting {...shared} isDate />
    case PROFILE_FIELD_TYPES.users:
      return <PeopleField label={field.name} value={value} onSave={save} />
    case PROFILE_FIELD_TYPES.longText:
      return <TextSetting {...shared} isLong lengthMax={PROFILE_LONG_TEXT_LENGTH_MAX} />
    case PROFILE_FIELD_TYPES.link:
      return <TextSetting {...shared} />
    default:
      return <TextSetting {...shared} lengthMax={PROFILE_SHORT_TEXT_LENGTH_MAX} />
  }
}

interface PeopleFieldProps {
  readonly label: string
  readonly value: string
  readonly onSave: (ids: readonly number[]) => Promise<unknown>
}

function PeopleField({ label, value, onSave }: PeopleFieldProps) {
  const saving = useSaving()
  return (
    <div>
      <PeoplePicker
        label={label}
        chosen={peopleIn(value)}
        onChange={(ids) => void saving.save(() => onSave(ids))}
        without={[]}
      />
      <SavedNote saving={saving} />
    </div>
  )
}

/** The own picture. */
function OwnPicture({ user }: { readonly user: User }) {
  const { api } = useApp()
  const state = useState()
  const mayChange =
    state.is_admin || !(state.realm_avatar_changes_disabled || state.server_avatar_changes_disabled)
  return (
    <PictureSetting
      id="own-picture"
      label={t('Picture')}
      hint={t('PNG, JPEG, GIF or WebP, up to {size} MiB, cropped to a square.', {
        size: state.max_avatar_file_size_mib ?? 0,
      })}
      mayChange={mayChange}
      isUploaded={state.avatar_source === 'U'}
      upload={uploadOwnPicture}
      remove={() => api.call('DELETE /users/me/avatar')}
    >
      <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="large" />
    </PictureSetting>
  )
}
