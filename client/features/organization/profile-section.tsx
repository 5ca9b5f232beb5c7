/** Name, description and language of the organization, and the services that it uses. */

import { CODE_LANGUAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ORGANIZATION_DESCRIPTION_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ORGANIZATION_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { problemText } from '../../ui/toasts.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { languageOptions } from './language-options.ts'
import { PicturesPart } from './pictures-part.tsx'
import { SettingChannel, SettingChoice, SettingText, SettingToggle } from './organization-setting.tsx'
import { t } from '../../texts/texts.ts'

/** The choices of the API. */
const KINDS: readonly (readonly [string, string])[] = [
  ['0', t('Not specified')],
  ['10', t('Business')],
  ['20', t('Open-source project')],
  ['30', t('Education (nonprofit)')],
  ['35', t('Education (for profit)')],
  ['40', t('Research')],
  ['50', t('Event or conference')],
  ['60', t('Nonprofit')],
  ['70', t('Government')],
  ['80', t('Political group')],
  ['90', t('Community')],
  ['100', t('Personal')],
  ['1000', t('Other')],
]
const JITSI_ID = 1

export function ProfileSection() {
  const state = useState()
  return (
    <>
      <section class="settings-part" aria-labelledby="organization-profile">
        <h2 id="organization-profile">{t('Profile')}</h2>
        <SettingText name="name" label={t('Name')} lengthMax={ORGANIZATION_NAME_LENGTH_MAX} />
        <SettingText
          name="description"
          label={t('Description')}
          hint={t('Shown before people log in. Supports Markdown.')}
          lengthMax={ORGANIZATION_DESCRIPTION_LENGTH_MAX}
          isLong
        />
        <DescriptionPreview text={state.realm_description ?? ''} />
        <div class="setting-grid">
          <SettingChoice name="org_type" label={t('Organization type')} options={KINDS} write={Number} />
          <SettingChoice
            name="default_language"
            label={t('Language for new people')}
            options={languageOptions(state.realm_default_language)}
          />
        </div>
      </section>
      <PicturesPart />
      <CallsPart />
      <AnnouncementsPart />
    </>
  )
}

function CallsPart() {
  const state = useState()
  const providers = Object.values(state.realm_available_video_chat_providers ?? {})
  return (
    <section class="settings-part" aria-labelledby="organization-calls">
      <h2 id="organization-calls">{t('Calls and previews')}</h2>
      <div class="setting-grid">
        <SettingChoice
          name="video_chat_provider"
          label={t('Video calls')}
          options={providers.map(({ id, name }) => [String(id), name] as const)}
          write={Number}
        />
        {state.realm_video_chat_provider === JITSI_ID && (
          <SettingText
            name="jitsi_server_url"
            label={t('Jitsi server address')}
            hint={t('Leave empty for {address}.', { address: state.server_jitsi_server_url ?? t('none') })}
          />
        )}
      </div>
      <SettingToggle name="inline_image_preview" label={t('Show previews of linked pictures')} />
      <SettingToggle name="inline_url_embed_preview" label={t('Show previews of linked pages')} />
      <SettingText
        name="default_code_block_language"
        label={t('Default language for code blocks')}
        hint={t('For example, python. Leave empty for plain text.')}
        lengthMax={CODE_LANGUAGE_LENGTH_MAX}
      />
    </section>
  )
}

function AnnouncementsPart() {
  return (
    <section class="settings-part" aria-labelledby="organization-announcements">
      <h2 id="organization-announcements">{t('Announcements')}</h2>
      <SettingChannel
        name="new_stream_announcements_stream_id"
        label={t('Announce new public channels in')}
      />
      <SettingChannel
        name="moderation_request_channel_id"
        label={t('Send message reports to')}
        hint={t('Messages that people report appear in this private channel.')}
        isPrivate
      />
      <SettingToggle
        name="send_channel_events_messages"
        label={t('Announce changes to a channel in the channel')}
      />
    </section>
  )
}

/** The description as people see it. */
function DescriptionPreview({ text }: { readonly text: string }) {
  const { api } = useApp()
  const html = useSignal('')
  const problem = useSignal('')
  useEffect(() => {
    const stop = new AbortController()
    problem.value = ''
    if (text === '') {
      html.value = ''
      return
    }
    api.callWith({ signal: stop.signal }, 'POST /messages/render', { content: text }).then(
      ({ rendered }) => (html.value = rendered),
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = problemText(error)
      },
    )
    return () => stop.abort()
  }, [text])
  if (problem.value !== '') return <p class="problem">{problem.value}</p>
  if (html.value === '') return null
  return (
    <figure class="preview" aria-label={t('Preview')}>
      <ServerHtml html={html.value} class="rendered" />
    </figure>
  )
}
