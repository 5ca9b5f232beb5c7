/** Makes a profile field, or changes one. */

import {
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
} from '../../../packages/rules/limits.ts'
import type { ProfileField } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { PartForm } from '../../ui/part-form.tsx'
import { useFormField } from '../../ui/use-form-field.ts'
import { accountOf, choicesData, CUSTOM_SITE, FIELD_KIND_OPTIONS, optionsOf } from './profile-field-kinds.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

const FORM = 'new profile field'

interface ProfileFieldFormProps {
  /** Undefined for a new one. */
  readonly field?: ProfileField
  readonly onClose: () => void
}

export function ProfileFieldForm({ field, onClose }: ProfileFieldFormProps) {
  const state = useState()
  const fields = useProfileField(field)
  const { kind, site, isAccount, isKnownSite } = fields
  const known = Object.entries(state.realm_default_external_accounts ?? {})
  const sites = [...known.map(([key, { text }]) => [key, text] as const), [CUSTOM_SITE, t('Other')] as const]
  return (
    <PartForm form={FORM} onSave={fields.save} onClose={onClose}>
      <div class="setting-grid">
        {!field && <SelectField label={t('Kind')} value={kind} options={FIELD_KIND_OPTIONS} />}
        {isAccount && !field && <SelectField label={t('Site')} value={site} options={sites} />}
        {!isKnownSite && (
          <>
            <TextField
              label={t('Name')}
              value={fields.name}
              required
              maxLength={PROFILE_FIELD_NAME_LENGTH_MAX}
            />
            <TextField label={t('Hint')} value={fields.hint} maxLength={PROFILE_FIELD_HINT_LENGTH_MAX} />
          </>
        )}
        {isAccount && !isKnownSite && (
          <TextField
            label={t('Profile address')}
            value={fields.address}
            required
            placeholder="https://example.com/%(username)s"
            hint={t('Use %(username)s for the account name.')}
          />
        )}
      </div>
      {Number(kind.value) === PROFILE_FIELD_TYPES.choice && (
        <TextAreaField
          label={t('Choices')}
          value={fields.choices}
          rows={4}
          required
          hint={t('One per line, in order.')}
        />
      )}
      <div class="choices">
        <CheckField label={t('People can edit it themselves')} value={fields.isEditable} />
        <CheckField label={t('Ask people to fill it in')} value={fields.isRequired} />
        <CheckField label={t('Show on profile cards (at most two fields)')} value={fields.isInSummary} />
      </div>
    </PartForm>
  )
}

/** The fields of the form, and what sends them. */
function useProfileField(field: ProfileField | undefined) {
  const { api } = useApp()
  const form = field ? undefined : FORM
  const account = field && accountOf(field)
  const kind = useFormField(form, 'kind', String(field?.type ?? PROFILE_FIELD_TYPES.shortText))
  const name = useFormField(form, 'name', field?.name ?? '')
  const hint = useFormField(form, 'hint', field?.hint ?? '')
  const present = (field ? optionsOf(field) : []).map(([, text]) => text)
  const choices = useFormField(form, 'choices', present.join('\n'))
  const site = useFormField(form, 'site', account?.subtype ?? CUSTOM_SITE)
  const address = useFormField(form, 'address', account?.url_pattern ?? '')
  const isInSummary = useFormField(form, 'isInSummary', field?.display_in_profile_summary ?? false)
  const isRequired = useFormField(form, 'isRequired', field?.required ?? false)
  const isEditable = useFormField(form, 'isEditable', field?.editable_by_user ?? true)
  const isAccount = Number(kind.value) === PROFILE_FIELD_TYPES.externalAccount
  const isKnownSite = isAccount && site.value !== CUSTOM_SITE
  const data = () => {
    if (Number(kind.value) === PROFILE_FIELD_TYPES.choice) return choicesData(choices.value, field)
    if (!isAccount) return undefined
    return isKnownSite ? { subtype: site.value } : { subtype: CUSTOM_SITE, url_pattern: address.value }
  }
  const save = () => {
    const given = {
      // A known site names the field itself.
      name: isKnownSite ? undefined : name.value,
      hint: isKnownSite ? undefined : hint.value,
      field_data: data(),
      display_in_profile_summary: isInSummary.value,
      required: isRequired.value,
      editable_by_user: isEditable.value,
    }
    return field
      ? api.call('PATCH /realm/profile_fields/{field_id}', { field_id: field.id, ...given })
      : api.call('POST /realm/profile_fields', { field_type: Number(kind.value), ...given })
  }
  const checks = { isInSummary, isRequired, isEditable }
  return { kind, name, hint, choices, site, address, ...checks, isAccount, isKnownSite, save }
}
