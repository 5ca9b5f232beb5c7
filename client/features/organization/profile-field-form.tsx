/** Makes a profile field, or changes one. */

import { useId } from 'preact/hooks'
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

const FORM = 'new profile field'
const NAME_LENGTH_MAX = 40
const HINT_LENGTH_MAX = 80

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
  const id = useId()
  const account = field && accountOf(field)
  const kind = useKept<number>(form, 'kind', field?.type ?? FIELD_KINDS.shortText)
  const name = useKept(form, 'name', field?.name ?? '')
  const hint = useKept(form, 'hint', field?.hint ?? '')
  const choices = useKept(form, 'choices', (field ? optionsOf(field) : []).map(([, text]) => text).join('\n'))
  const site = useKept(form, 'site', account?.subtype ?? CUSTOM_SITE)
  const address = useKept(form, 'address', account?.url_pattern ?? '')
  const isInSummary = useKept(form, 'isInSummary', field?.display_in_profile_summary ?? false)
  const isRequired = useKept(form, 'isRequired', field?.required ?? false)
  const isEditable = useKept(form, 'isEditable', field?.editable_by_user ?? true)
  const isAccount = kind.value === FIELD_KINDS.externalAccount
  const isKnownSite = isAccount && site.value !== CUSTOM_SITE
  const data = () => {
    if (kind.value === FIELD_KINDS.choice) return choicesData(choices.value, field)
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
        : api.call('POST /realm/profile_fields', { field_type: kind.value, ...given }),
    )
    if (isSaved) close()
  }
  const sites = Object.entries(state.realm_default_external_accounts ?? {})
  return (
    <form class="form part-form" onSubmit={(event) => void save(event)}>
      <div class="setting-grid">
        {!field && (
          <div class="field">
            <label for={`${id}-kind`}>Kind</label>
            <select
              id={`${id}-kind`}
              value={String(kind.value)}
              onChange={(event) => (kind.value = Number(event.currentTarget.value))}
            >
              {FIELD_KIND_OPTIONS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        )}
        {isAccount && !field && (
          <div class="field">
            <label for={`${id}-site`}>Site</label>
            <select
              id={`${id}-site`}
              value={site.value}
              onChange={(event) => (site.value = event.currentTarget.value)}
            >
              {sites.map(([key, { text }]) => (
                <option key={key} value={key}>
                  {text}
                </option>
              ))}
              <option value={CUSTOM_SITE}>Another one</option>
            </select>
          </div>
        )}
        {!isKnownSite && (
          <>
            <div class="field">
              <label for={`${id}-name`}>Name</label>
              <input
                id={`${id}-name`}
                dir="auto"
                required
                maxLength={NAME_LENGTH_MAX}
                value={name.value}
                onInput={(event) => (name.value = event.currentTarget.value)}
              />
            </div>
            <div class="field">
              <label for={`${id}-hint`}>Hint</label>
              <input
                id={`${id}-hint`}
                dir="auto"
                maxLength={HINT_LENGTH_MAX}
                value={hint.value}
                onInput={(event) => (hint.value = event.currentTarget.value)}
              />
            </div>
          </>
        )}
        {isAccount && !isKnownSite && (
          <div class="field">
            <label for={`${id}-address`}>Address of a profile</label>
            <input
              id={`${id}-address`}
              required
              value={address.value}
              placeholder="https://example.com/%(username)s"
              onInput={(event) => (address.value = event.currentTarget.value)}
            />
            <small>%(username)s stands for the name of the account.</small>
          </div>
        )}
      </div>
      {kind.value === FIELD_KINDS.choice && (
        <div class="field">
          <label for={`${id}-choices`}>Choices</label>
          <textarea
            id={`${id}-choices`}
            dir="auto"
            rows={4}
            required
            value={choices.value}
            onInput={(event) => (choices.value = event.currentTarget.value)}
          />
          <small>One on each line, in their order.</small>
        </div>
      )}
      <div class="choices">
        <Check value={isEditable} text="People change it themselves" />
        <Check value={isRequired} text="People are asked to fill it in" />
        <Check value={isInSummary} text="It is on profile cards (at most two fields)" />
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

function Check({ value, text }: { readonly value: { value: boolean }; readonly text: string }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked
        }}
      />
      {text}
    </label>
  )
}
