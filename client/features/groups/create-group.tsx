/** Makes a group of people and other groups. */

import { useApp, useState } from '../../app/app.ts'
import { mayCreateGroups } from '../../store/derived/group-permissions.ts'
import { HolderPicker, type Holders } from '../people/holder-picker.tsx'
import { clearForm, useFormField } from '../../ui/use-form-field.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { GROUP_DESCRIPTION_LENGTH_MAX, GROUP_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { possibleSubgroups } from './possible-subgroups.ts'
import { TextAreaField, TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

const FORM = 'new group'

export function CreateGroup() {
  const app = useApp()
  const state = useState()
  const saving = useSaving()
  const name = useFormField(FORM, 'name', '')
  const description = useFormField(FORM, 'description', '')
  const members = useFormField<Holders>(FORM, 'members', {
    direct_members: state.user_id === undefined ? [] : [state.user_id],
    direct_subgroups: [],
  })
  if (!mayCreateGroups(state)) return <p class="empty">{t('You don’t have permission to create groups.')}</p>
  const create = (event: Event) => {
    event.preventDefault()
    void saving.save(async () => {
      const { group_id: groupId } = await app.api.call('POST /user_groups/create', {
        name: name.value.trim(),
        description: description.value.trim(),
        members: members.value.direct_members,
        subgroups: members.value.direct_subgroups,
      })
      clearForm(app, FORM)
      app.router.go({ view: 'groups', path: [String(groupId)] })
    })
  }
  return (
    <section class="settings-part" aria-labelledby="new-group">
      <h2 id="new-group">{t('New group')}</h2>
      <form class="form" onSubmit={create}>
        <TextField label={t('Name')} value={name} required maxLength={GROUP_NAME_LENGTH_MAX} />
        <TextAreaField
          label={t('Description')}
          value={description}
          rows={2}
          maxLength={GROUP_DESCRIPTION_LENGTH_MAX}
        />
        <div class="field">
          <h3 class="label">{t('Members')}</h3>
          <HolderPicker
            label={t('Members')}
            value={members.value}
            choices={possibleSubgroups(state, undefined)}
            onChange={(next) => (members.value = next)}
          />
        </div>
        <div class="actions">
          <SavedNote saving={saving} />
          <a class="button" href="#groups" onClick={() => clearForm(app, FORM)}>
            {t('Cancel')}
          </a>
          <button class="button primary" disabled={name.value.trim() === ''}>
            {t('Create group')}
          </button>
        </div>
      </form>
    </section>
  )
}
