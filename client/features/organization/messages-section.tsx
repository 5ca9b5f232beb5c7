/** How long messages stay, what others see of them and of people, and who changes them. */

import { useState } from '../../app/app.ts'
import { SettingChoice, SettingToggle } from './organization-setting.tsx'
import { RetentionSetting } from './retention-setting.tsx'
import { TimeLimit } from './time-limit.tsx'
import { t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

const TOPICS = [
  ['allow_empty_topic', t('General topic allowed')],
  ['disable_empty_topic', t('Every message needs a topic')],
] as const

const HISTORY = [
  ['all', t('Edits and moves')],
  ['moves', t('Moves only')],
  ['none', t('Hidden')],
] as const

const RATINGS = [
  ['0', t('No GIFs')],
  ['1', t('Rated Y: for young children')],
  ['2', t('Rated G: for everyone')],
  ['3', t('Rated PG: with parental guidance')],
  ['4', t('Rated PG-13: from age 13')],
  ['5', t('Rated R: for adults')],
] as const

export function MessagesSection() {
  return (
    <>
      <Changes />
      <Visibility />
      <section class="settings-part" aria-labelledby="messages-retention">
        <h2 id="messages-retention">{t('Message retention')}</h2>
        <RetentionSetting />
      </section>
    </>
  )
}

function Changes() {
  const state = useState()
  return (
    <section class="settings-part" aria-labelledby="messages-edit">
      <h2 id="messages-edit">{t('Editing, moving and deleting')}</h2>
      <SettingToggle name="allow_message_editing" label={t('People can edit their messages')} />
      {state.realm_allow_message_editing && (
        <TimeLimit
          name="message_content_edit_limit_seconds"
          label={t('Time limit for editing')}
          seconds={state.realm_message_content_edit_limit_seconds}
        />
      )}
      <TimeLimit
        name="message_content_delete_limit_seconds"
        label={t('Time limit for deleting')}
        seconds={state.realm_message_content_delete_limit_seconds}
      />
      <TimeLimit
        name="move_messages_within_stream_limit_seconds"
        label={t('Time limit for moving to another topic')}
        seconds={state.realm_move_messages_within_stream_limit_seconds}
      />
      <TimeLimit
        name="move_messages_between_streams_limit_seconds"
        label={t('Time limit for moving to another channel')}
        seconds={state.realm_move_messages_between_streams_limit_seconds}
      />
      <p class="quiet-text">
        <Text
          of="<0>Permissions</0> say who can move and delete messages."
          parts={[<a href="#organization/permissions" />]}
        />
      </p>
    </section>
  )
}

function Visibility() {
  const state = useState()
  return (
    <section class="settings-part" aria-labelledby="messages-visibility">
      <h2 id="messages-visibility">{t('Topics, history and privacy')}</h2>
      <SettingChoice name="topics_policy" label={t('Topics')} options={TOPICS} />
      <SettingChoice
        name="message_edit_history_visibility_policy"
        label={t('Edit history')}
        options={HISTORY}
      />
      <SettingChoice name="giphy_rating" label={t('GIFs')} options={RATINGS} write={Number} />
      <SettingToggle
        name="enable_read_receipts"
        label={t('Show read receipts')}
        hint={t('Anyone can turn off their own in their settings.')}
      />
      <SettingToggle
        name="presence_disabled"
        label={t('Show who is online')}
        hint={t('When off, the server doesn’t record who was online, either.')}
        isInverted
      />
      <SettingToggle
        name="message_content_allowed_in_email_notifications"
        label={t('Include message text in emails')}
      />
      {state.server_web_public_streams_enabled && (
        <SettingToggle
          name="enable_spectator_access"
          label={t('Let visitors without an account read web-public channels')}
          hint={t('The log-in page links to them. Open a channel to the web in its settings.')}
        />
      )}
    </section>
  )
}
