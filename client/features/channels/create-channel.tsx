/** A new channel. */

import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { choicesOf, groupName, roleGroupId } from '../../store/derived/group-choices.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { clearForm, useFormField } from '../../ui/use-form-field.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { type Privacy, privacyChoices, privacyParams, WEB_PUBLIC_WARNING } from './privacy.ts'

const FORM = 'new channel'
const NO_FOLDER = ''

export function CreateChannel() {
  const app = useApp()
  const state = useState()
  const privacies = privacyChoices(state)
  const posters = choicesOf(state, 'stream', 'can_send_message_group')
  const form = useFormField(FORM, 'fields', {
    name: '',
    description: '',
    privacy: privacies[0]?.[0] ?? ('public' as Privacy),
    folder: NO_FOLDER,
    poster: String(roleGroupId(state, 'role:everyone') ?? posters[0]?.id ?? ''),
  })
  const people = useFormField<readonly number[]>(FORM, 'people', [])
  const saving = useSaving()
  const id = useId()
  const ownId = state.user_id ?? 0
  const folders = (state.channel_folders ?? []).filter((one) => !one.is_archived)
  const set = (changes: Partial<typeof form.value>) => (form.value = { ...form.value, ...changes })
  const { name, description, privacy, folder, poster } = form.value
  const create = async (event: Event) => {
    event.preventDefault()
    await saving.save(async () => {
      const { id: channelId } = await app.api.call('POST /channels/create', {
        name: name.trim(),
        description: description.trim(),
        subscribers: [ownId, ...people.value],
        folder_id: folder === NO_FOLDER ? null : Number(folder),
        ...(poster === '' ? {} : { can_send_message_group: Number(poster) }),
        ...privacyParams(privacy),
      })
      clearForm(app, FORM)
      app.router.go({ view: 'narrow', narrow: ofChannel(channelId) })
    })
  }
  if (privacies.length === 0) return <p class="empty">You don’t have permission to create channels.</p>
  return (
    <form class="form" onSubmit={(event) => void create(event)}>
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          required
          dir="auto"
          maxLength={state.max_stream_name_length}
          value={name}
          onInput={(event) => set({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-description`}>Description</label>
        <textarea
          id={`${id}-description`}
          rows={2}
          dir="auto"
          maxLength={state.max_stream_description_length}
          value={description}
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
        <small>Helps people find the right channel.</small>
      </div>
      <fieldset class="choices">
        <legend>Who can read</legend>
        {privacies.map(([one, text]) => (
          <label key={one}>
            <input
              type="radio"
              name={`${id}-privacy`}
              checked={privacy === one}
              onChange={() => set({ privacy: one })}
            />
            {text}
          </label>
        ))}
        {privacy === 'web-public' && <small role="status">{WEB_PUBLIC_WARNING}</small>}
      </fieldset>
      <div class="field">
        <label for={`${id}-poster`}>Who can post</label>
        <select
          id={`${id}-poster`}
          value={poster}
          onChange={(event) => set({ poster: event.currentTarget.value })}
        >
          {posters.map((group) => (
            <option key={group.id} value={String(group.id)}>
              {groupName(group)}
            </option>
          ))}
        </select>
      </div>
      {folders.length > 0 && (
        <div class="field">
          <label for={`${id}-folder`}>Folder</label>
          <select
            id={`${id}-folder`}
            value={folder}
            onChange={(event) => set({ folder: event.currentTarget.value })}
          >
            <option value={NO_FOLDER}>None</option>
            {folders.map((one) => (
              <option key={one.id} value={String(one.id)}>
                {one.name}
              </option>
            ))}
          </select>
        </div>
      )}
      <PeoplePicker
        label="Invite people"
        chosen={people.value}
        onChange={(ids) => (people.value = ids)}
        without={[ownId]}
      />
      <div class="actions">
        <SavedNote saving={saving} />
        <a class="button" href="#channels" onClick={() => clearForm(app, FORM)}>
          Cancel
        </a>
        <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
          Create channel
        </button>
      </div>
    </form>
  )
}
