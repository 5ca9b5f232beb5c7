/** The fields that all profiles have. */

import { useSignal } from '@preact/signals'
import type { ProfileField } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { OrderedList } from '../../ui/ordered-list.tsx'
import { ProfileFieldForm } from './profile-field-form.tsx'
import { fieldKindName } from './profile-field-kinds.ts'
import { t } from '../../texts/texts.ts'

export function ProfileFieldsSection() {
  const { api } = useApp()
  const state = useState()
  const editedId = useSignal<number | 'new' | undefined>(undefined)
  const removed = useSignal<ProfileField | undefined>(undefined)
  const fields = state.custom_profile_fields ?? []
  /** Not another form, which was opened before the reply to the former came. */
  const close = (id: number | 'new') => {
    if (editedId.peek() === id) editedId.value = undefined
  }
  return (
    <section class="settings-part" aria-labelledby="profile-fields">
      <div class="page-title">
        <h2 id="profile-fields">{t('Profile fields')}</h2>
        {editedId.value === undefined && (
          <button class="button" onClick={() => (editedId.value = 'new')}>
            {t('New field')}
          </button>
        )}
      </div>
      <p class="quiet-text">{t('Everyone can fill these in, and see them on profiles.')}</p>
      {editedId.value === 'new' && <ProfileFieldForm onClose={() => close('new')} />}
      {fields.length === 0 && editedId.value === undefined && (
        <p class="empty">{t('No profile fields yet. A phone number or birthday is a good start.')}</p>
      )}
      <OrderedList
        label={t('Profile fields')}
        isFixed={fields.length < 2}
        onOrder={(ids) => api.call('PATCH /realm/profile_fields', { order: ids })}
        items={fields.map((field) => ({
          id: field.id,
          name: field.name,
          content:
            editedId.value === field.id ? (
              <ProfileFieldForm field={field} onClose={() => close(field.id)} />
            ) : (
              <FieldRow
                field={field}
                onEdit={() => (editedId.value = field.id)}
                onRemove={() => (removed.value = field)}
              />
            ),
        }))}
      />
      {removed.value && (
        <Confirm
          title={t('Remove {name}?', { name: removed.value.name })}
          action={t('Remove')}
          onConfirm={() =>
            api.call('DELETE /realm/profile_fields/{field_id}', { field_id: removed.value?.id ?? 0 })
          }
          onClose={() => (removed.value = undefined)}
        >
          <p>{t('It disappears from all profiles, along with what people wrote in it.')}</p>
        </Confirm>
      )}
    </section>
  )
}

interface FieldRowProps {
  readonly field: ProfileField
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function FieldRow({ field, onEdit, onRemove }: FieldRowProps) {
  return (
    <>
      <div class="card-text">
        <span class="card-name" dir="auto">
          {field.name}
        </span>
        <small dir="auto">{describe(field)}</small>
      </div>
      <button class="button small" aria-label={t('Edit {name}', { name: field.name })} onClick={onEdit}>
        {t('Edit')}
      </button>
      <button
        class="button small danger"
        aria-label={t('Remove {name}', { name: field.name })}
        onClick={onRemove}
      >
        {t('Remove')}
      </button>
    </>
  )
}

function describe(field: ProfileField): string {
  const parts = [
    fieldKindName(field.type),
    field.required ? t('required') : '',
    field.display_in_profile_summary ? t('on profile cards') : '',
    field.editable_by_user ? '' : t('only administrators can edit it'),
    field.hint,
  ]
  return parts.filter(Boolean).join(', ')
}
