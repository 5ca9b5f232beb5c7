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

/** The choices of the API. */
const KINDS: readonly (readonly [string, string])[] = [
  ['0', 'Not specified'],
  ['10', 'Business'],
  ['20', 'Open-source project'],
  ['30', 'Education (nonprofit)'],
  ['35', 'Education (for profit)'],
  ['40', 'Research'],
  ['50', 'Event or conference'],
  ['60', 'Nonprofit'],
  ['70', 'Government'],
  ['80', 'Political group'],
  ['90', 'Community'],
  ['100', 'Personal'],
  ['1000', 'Other'],
]
const JITSI_ID = 1

export function ProfileSection() {
  const state = useState()
  const providers = Object.values(state.realm_available_video_chat_providers ?? {})
  return (
    <>
      <section class="settings-part" aria-labelledby="organization-profile">
        <h2 id="organization-profile">Profile</h2>
        <SettingText name="name" label="Name" lengthMax={ORGANIZATION_NAME_LENGTH_MAX} />
        <SettingText
          name="description"
          label="Description"
          hint="Shown before people log in. Supports Markdown."
          lengthMax={ORGANIZATION_DESCRIPTION_LENGTH_MAX}
          isLong
        />
        <DescriptionPreview text={state.realm_description ?? ''} />
        <div class="setting-grid">
          <SettingChoice name="org_type" label="Organization type" options={KINDS} write={Number} />
          <SettingChoice
            name="default_language"
            label="Language for new people"
            options={languageOptions(state.realm_default_language)}
          />
        </div>
      </section>
      <PicturesPart />
      <section class="settings-part" aria-labelledby="organization-calls">
        <h2 id="organization-calls">Calls and previews</h2>
        <div class="setting-grid">
          <SettingChoice
            name="video_chat_provider"
            label="Video calls"
            options={providers.map(({ id, name }) => [String(id), name] as const)}
            write={Number}
          />
          {state.realm_video_chat_provider === JITSI_ID && (
            <SettingText
              name="jitsi_server_url"
              label="Jitsi server address"
              hint={`Leave empty for ${state.server_jitsi_server_url ?? 'none'}.`}
            />
          )}
        </div>
        <SettingToggle name="inline_image_preview" label="Show previews of linked pictures" />
        <SettingToggle name="inline_url_embed_preview" label="Show previews of linked pages" />
        <SettingText
          name="default_code_block_language"
          label="Default language for code blocks"
          hint="For example, python. Leave empty for plain text."
          lengthMax={CODE_LANGUAGE_LENGTH_MAX}
        />
      </section>
      <section class="settings-part" aria-labelledby="organization-announcements">
        <h2 id="organization-announcements">Announcements</h2>
        <SettingChannel name="new_stream_announcements_stream_id" label="Announce new public channels in" />
        <SettingChannel
          name="moderation_request_channel_id"
          label="Send message reports to"
          hint="Messages that people report appear in this private channel."
          isPrivate
        />
        <SettingToggle
          name="send_channel_events_messages"
          label="Announce changes to a channel in the channel"
        />
      </section>
    </>
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
    <figure class="preview" aria-label="Preview">
      <ServerHtml html={html.value} class="rendered" />
    </figure>
  )
}
