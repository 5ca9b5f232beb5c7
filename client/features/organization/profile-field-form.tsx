/** Makes a profile field, or changes one. */

import { PROFILE_FIELD_HINT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { PROFILE_FIELD_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import type { ProfileField } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { forgetForm, useKept } from '../../ui/kept.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import {
  accountOf,
  choicesData,
  CUSTOM_SITE,
  FIELD_KIND_OPTIONS,
  FIELD_KINDS,
  optionsOf,
} from './profile-field-kinds.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'

const FORM = 'new profile field'

interface ProfileFieldFormProps {
  /** Undefined for a new one. */
  readonly field?: ProfileField
  readonly onClose: () => void
}

export function ProfileFieldForm({ field, onClose }: ProfileFieldFormProps) {
  const app = useApp()
  const { api } = app
  const form = field ? undefined : FORM
  const state = useState()
  const saving = useSaving()
  const account = field && accountOf(field)
  const kind = useKept(form, 'kind', String(field?.type ?? FIELD_KINDS.shortText))
  const name = useKept(form, 'name', field?.name ?? '')
  const hint = useKept(form, 'hint', field?.hint ?? '')
  const choices = useKept(form, 'choices', (field ? optionsOf(field) : []).map(([, text]) => text).join('\n'))
  const site = useKept(form, 'site', account?.subtype ?? CUSTOM_SITE)
  const address = useKept(form, 'address', account?.url_pattern ?? '')
  const isInSummary = useKept(form, 'isInSummary', field?.display_in_profile_summary ?? false)
  const isRequired = useKept(form, 'isRequired', field?.required ?? false)
  const isEditable = useKept(form, 'isEditable', field?.editable_by_user ?? true)
  const isAccount = Number(kind.value) === FIELD_KINDS.externalAccount
  const isKnownSite = isAccount && site.value !== CUSTOM_SITE
  const data = () => {
    if (Number(kind.value) === FIELD_KINDS.choice) return choicesData(choices.value, field)
    if (!isAccount) return undefined
    return isKnownSite ? { subtype: site.value } : { subtype: CUSTOM_SITE, url_pattern: address.value }
  }
  const close = () => {
    forgetForm(app, FORM)
    onClose()
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const given = {
      // A known site names the field itself.
      name: isKnownSite ? undefined : name.value,
      hint: isKnownSite ? undefined : hint.value,
      field_data: data(),
      display_in_profile_summary: isInSummary.value,
      required: isRequired.value,
      editable_by_user: isEditable.value,
    }
    const isSaved = await saving.save(() =>
      field
        ? api.call('PATCH /realm/profile_fields/{field_id}', { field_id: field.id, ...given })
        : api.call('POST /realm/profile_fields', { field_type: Number(kind.value), ...given }),
    )
    if (isSaved) close()
  }
  const known = Object.entries(state.realm_default_external_accounts ?? {})
  const sites = [
    ...known.map(([key, { text }]) => [key, text] as const),
    [CUSTOM_SITE, 'Another one'] as const,
  ]
  return (
    <form class="form part-form" onSubmit={(event) => void save(event)}>
      <div class="setting-grid">
        {!field && <SelectField label="Kind" value={kind} options={FIELD_KIND_OPTIONS} />}
        {isAccount && !field && <SelectField label="Site" value={site} options={sites} />}
        {!isKnownSite && (
          <>
            <TextField label="Name" value={name} required maxLength={PROFILE_FIELD_NAME_LENGTH_MAX} />
            <TextField label="Hint" value={hint} maxLength={PROFILE_FIELD_HINT_LENGTH_MAX} />
          </>
        )}
        {isAccount && !isKnownSite && (
          <TextField
            label="Address of a profile"
            value={address}
            required
            placeholder="https://example.com/%(username)s"
            hint="%(username)s stands for the name of the account."
          />
        )}
      </div>
      {Number(kind.value) === FIELD_KINDS.choice && (
        <TextAreaField
          label="Choices"
          value={choices}
          rows={4}
          required
          hint="One on each line, in their order."
        />
      )}
      <div class="choices">
        <CheckField label="People change it themselves" value={isEditable} />
        <CheckField label="People are asked to fill it in" value={isRequired} />
        <CheckField label="It is on profile cards (at most two fields)" value={isInSummary} />
      </div>
      <div class="actions">
        <SavedNote saving={saving} />
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button class="button primary">Save</button>
      </div>
    </form>
  )
}
