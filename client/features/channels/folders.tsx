/** The folders of channels: their names, their order, and the archived ones. */

import type { ChannelFolder } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { useFormField } from '../../ui/use-form-field.ts'
import { emptySaved, SavedNote, useSaving } from '../../ui/saving.tsx'
import { TextSetting } from '../../ui/setting.tsx'
import { showError } from '../../ui/toasts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

export function Folders() {
  const state = useState()
  const folders = (state.channel_folders ?? []).toSorted((a, b) => a.order - b.order)
  const open = folders.filter((one) => !one.is_archived)
  const archived = folders.filter((one) => one.is_archived)
  if (!state.is_admin) return <p class="empty">{t('Only administrators can change folders.')}</p>
  return (
    <>
      <NewFolder />
      {folders.length === 0 && (
        <p class="empty">{t('No folders yet. Folders group channels in everyone’s sidebar.')}</p>
      )}
      <ul class="cards">
        {open.map((folder, index) => (
          <FolderCard key={folder.id} folder={folder} all={folders} before={open[index - 1]} />
        ))}
      </ul>
      {archived.length > 0 && (
        <section class="settings-part" aria-labelledby="archived-folders">
          <h3 id="archived-folders">{t('Archived')}</h3>
          <ul class="cards">
            {archived.map((folder) => (
              <FolderCard key={folder.id} folder={folder} all={folders} before={undefined} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface FolderCardProps {
  readonly folder: ChannelFolder
  readonly all: readonly ChannelFolder[]
  /** The folder above it. */
  readonly before: ChannelFolder | undefined
}

function FolderCard({ folder, all, before }: FolderCardProps) {
  const { api } = useApp()
  const state = useState()
  const update = (changes: { name?: string; is_archived?: boolean }) =>
    api.call('PATCH /channel_folders/{channel_folder_id}', { channel_folder_id: folder.id, ...changes })
  const moveUp = () => {
    if (!before) return
    const order = all.map(({ id }) => id).filter((id) => id !== folder.id)
    order.splice(order.indexOf(before.id), 0, folder.id)
    void api.call('PATCH /channel_folders', { order }).catch(showError)
  }
  return (
    <li class="card">
      <div class="card-text">
        <TextSetting
          label={t('Name')}
          value={folder.name}
          lengthMax={state.max_channel_folder_name_length}
          onSave={(name) => update({ name: name.trim() })}
        />
      </div>
      {before && (
        <button class="button" aria-label={t('Move {name} up', { name: folder.name })} onClick={moveUp}>
          {t('Up')}
        </button>
      )}
      <button
        class="button"
        aria-label={`${folder.is_archived ? t('Restore') : t('Archive')} ${folder.name}`}
        onClick={() => void update({ is_archived: !folder.is_archived }).catch(showError)}
      >
        {folder.is_archived ? t('Restore') : t('Archive')}
      </button>
    </li>
  )
}

function NewFolder() {
  const { api } = useApp()
  const state = useState()
  const name = useFormField('new folder', 'name', '')
  const saving = useSaving()
  const create = async (event: Event) => {
    event.preventDefault()
    const typed = name.peek()
    const isMade = await saving.save(() => api.call('POST /channel_folders/create', { name: typed.trim() }))
    if (isMade) emptySaved(name, typed)
  }
  return (
    <form class="inline-form" onSubmit={(event) => void create(event)}>
      <TextField
        label={t('New folder')}
        value={name}
        required
        maxLength={state.max_channel_folder_name_length}
      />
      <button class="button primary">{t('Create')}</button>
      <SavedNote saving={saving} />
    </form>
  )
}
