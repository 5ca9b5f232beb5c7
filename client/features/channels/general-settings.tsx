/** Name, description, privacy, folder and previews of a channel. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { Choice, TextSetting, Toggle } from '../../ui/setting.tsx'
import { type Privacy, privacyChoices, privacyOf, WEB_PUBLIC_WARNING } from './privacy.ts'
import { t } from '../../texts/texts.ts'

const NO_FOLDER = ''

interface GeneralSettingsProps {
  readonly channel: Channel
  readonly mayChange: boolean
}

export function GeneralSettings({ channel, mayChange }: GeneralSettingsProps) {
  const { api } = useApp()
  const state = useState()
  const privacy = privacyOf(channel)
  const folders = (state.channel_folders ?? []).filter((one) => !one.is_archived)
  const update = (changes: Omit<ParamsOf<'PATCH /streams/{stream_id}'>, 'stream_id'>) =>
    api.call('PATCH /streams/{stream_id}', { stream_id: channel.stream_id, ...changes })
  return (
    <section class="settings-part" aria-labelledby="channel-general">
      <h3 id="channel-general">{t('Channel')}</h3>
      <TextSetting
        label={t('Name')}
        value={channel.name}
        lengthMax={state.max_stream_name_length}
        onSave={(name) => update({ new_name: name.trim() })}
        isDisabled={!mayChange}
      />
      <TextSetting
        label={t('Description')}
        value={channel.description}
        lengthMax={state.max_stream_description_length}
        onSave={(description) => update({ description })}
        isDisabled={!mayChange}
        isLong
      />
      <Choice
        label={t('Who can read')}
        value={privacy}
        options={privacyChoices(state, privacy)}
        onSave={(chosen) => update(privacyChange(chosen as Privacy))}
        questionOf={(chosen) => (chosen === 'web-public' ? openingQuestion(channel) : undefined)}
        isDisabled={!mayChange}
      />
      <Choice
        label={t('Folder')}
        value={String(channel.folder_id ?? NO_FOLDER)}
        options={[[NO_FOLDER, t('None')], ...folders.map(({ id, name }) => [String(id), name] as const)]}
        onSave={(chosen) => update({ folder_id: chosen === NO_FOLDER ? null : Number(chosen) })}
        isDisabled={!mayChange}
      />
      {state.realm_inline_url_embed_preview === true && (
        <Toggle
          label={t('Show previews of links')}
          value={channel.parley_link_previews}
          onSave={(parley_link_previews) => update({ parley_link_previews })}
          isDisabled={!mayChange}
        />
      )}
    </section>
  )
}

function openingQuestion({ name }: Channel) {
  return {
    title: t('Open “{name}” to the web?', { name }),
    action: t('Open to the web'),
    text: WEB_PUBLIC_WARNING,
  }
}

function privacyChange(privacy: Privacy) {
  const isPrivate = privacy === 'shared' || privacy === 'protected'
  return {
    is_private: isPrivate,
    is_web_public: privacy === 'web-public',
    history_public_to_subscribers: privacy !== 'protected',
  }
}
