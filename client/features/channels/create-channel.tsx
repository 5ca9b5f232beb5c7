/** A new channel. */

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { choicesOf, groupName, roleGroupId } from '../../store/derived/group-choices.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { clearForm, useFormField } from '../../ui/use-form-field.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { type Privacy, privacyChoices, privacyParams, WEB_PUBLIC_WARNING } from './privacy.ts'
import { t } from '../../texts/texts.ts'

const FORM = 'new channel'
const NO_FOLDER = ''

export function CreateChannel() {
  const app = useApp()
  const state = useState()
  const form = useNewChannel()
  const saving = useSaving()
  const ownId = state.user_id ?? 0
  const folders = (state.channel_folders ?? []).filter((one) => !one.is_archived)
  const { privacies, posters, people } = form
  const create = async (event: Event) => {
    event.preventDefault()
    await saving.save(async () => {
      const { id } = await app.api.call('POST /channels/create', form.paramsFor(ownId))
      clearForm(app, FORM)
      app.router.go({ view: 'narrow', narrow: ofChannel(id) })
    })
  }
  if (privacies.length === 0) return <p class="empty">{t('You don’t have permission to create channels.')}</p>
  return (
    <form class="form" onSubmit={(event) => void create(event)}>
      <TextField label={t('Name')} value={form.name} required maxLength={state.max_stream_name_length} />
      <TextAreaField
        label={t('Description')}
        hint={t('Helps people find the right channel.')}
        value={form.description}
        rows={2}
        maxLength={state.max_stream_description_length}
      />
      <Readers privacies={privacies} privacy={form.privacy} />
      <SelectField
        label={t('Who can post')}
        value={form.poster}
        options={posters.map((group) => [String(group.id), groupName(group)] as const)}
      />
      {folders.length > 0 && (
        <SelectField
          label={t('Folder')}
          value={form.folder}
          options={[
            [NO_FOLDER, t('None')],
            ...folders.map((folder) => [String(folder.id), folder.name] as const),
          ]}
        />
      )}
      <PeoplePicker
        label={t('Invite people')}
        chosen={people.value}
        onChange={(ids) => (people.value = ids)}
        without={[ownId]}
      />
      <div class="actions">
        <SavedNote saving={saving} />
        <a class="button" href="#channels" onClick={() => clearForm(app, FORM)}>
          {t('Cancel')}
        </a>
        <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
          {t('Create channel')}
        </button>
      </div>
    </form>
  )
}

interface ReadersProps {
  readonly privacies: ReturnType<typeof privacyChoices>
  readonly privacy: Signal<Privacy>
}

function Readers({ privacies, privacy }: ReadersProps) {
  const name = useId()
  return (
    <fieldset class="choices">
      <legend>{t('Who can read')}</legend>
      {privacies.map(([one, text]) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={privacy.value === one}
            onChange={() => (privacy.value = one)}
          />
          {text}
        </label>
      ))}
      {privacy.value === 'web-public' && <small role="status">{WEB_PUBLIC_WARNING}</small>}
    </fieldset>
  )
}

/** The fields of the form, and the choices for this person. */
function useNewChannel() {
  const state = useState()
  const privacies = privacyChoices(state)
  const posters = choicesOf(state, 'stream', 'can_send_message_group')
  const everyone = roleGroupId(state, 'role:everyone') ?? posters[0]?.id ?? ''
  const name = useFormField(FORM, 'name', '')
  const description = useFormField(FORM, 'description', '')
  const privacy = useFormField<Privacy>(FORM, 'privacy', privacies[0]?.[0] ?? 'public')
  const folder = useFormField(FORM, 'folder', NO_FOLDER)
  const poster = useFormField(FORM, 'poster', String(everyone))
  const people = useFormField<readonly number[]>(FORM, 'people', [])
  const paramsFor = (ownId: number) => ({
    name: name.value.trim(),
    description: description.value.trim(),
    subscribers: [ownId, ...people.value],
    folder_id: folder.value === NO_FOLDER ? null : Number(folder.value),
    ...(poster.value === '' ? {} : { can_send_message_group: Number(poster.value) }),
    ...privacyParams(privacy.value),
  })
  return { privacies, posters, name, description, privacy, folder, poster, people, paramsFor }
}
