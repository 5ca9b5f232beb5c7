/** How long messages stay, and who sees and changes what of them. */

import { useState } from '../../app/app.ts'
import { SettingChoice, SettingToggle } from './organization-setting.tsx'
import { RetentionSetting } from './retention-setting.tsx'
import { TimeLimit } from './time-limit.tsx'

const TOPICS = [
  ['allow_empty_topic', 'Messages may go to the channel’s general topic'],
  ['disable_empty_topic', 'Each message needs a topic'],
] as const

const HISTORY = [
  ['all', 'Everything: texts, topics and channels'],
  ['moves', 'Only moves between topics and channels'],
  ['none', 'Nothing'],
] as const

const RATINGS = [
  ['0', 'No animations'],
  ['1', 'Rated Y: for small children'],
  ['2', 'Rated G: for everyone'],
  ['3', 'Rated PG: with parents'],
  ['4', 'Rated PG-13: from 13 years on'],
  ['5', 'Rated R: for adults'],
] as const

export function MessagesSection() {
  const state = useState()
  return (
    <>
      <section class="settings-part" aria-labelledby="messages-edit">
        <h2 id="messages-edit">Editing, moving and deleting</h2>
        <SettingToggle name="allow_message_editing" label="People may edit their messages" />
        <div class="setting-grid">
          {state.realm_allow_message_editing && (
            <TimeLimit
              name="message_content_edit_limit_seconds"
              label="Edit a message within"
              seconds={state.realm_message_content_edit_limit_seconds}
            />
          )}
          <TimeLimit
            name="message_content_delete_limit_seconds"
            label="Delete a message within"
            seconds={state.realm_message_content_delete_limit_seconds}
          />
          <TimeLimit
            name="move_messages_within_stream_limit_seconds"
            label="Move to another topic within"
            seconds={state.realm_move_messages_within_stream_limit_seconds}
          />
          <TimeLimit
            name="move_messages_between_streams_limit_seconds"
            label="Move to another channel within"
            seconds={state.realm_move_messages_between_streams_limit_seconds}
          />
        </div>
        <p class="quiet-text">
          <a href="#organization/permissions">Permissions</a> say who may move and delete messages.
        </p>
      </section>
      <section class="settings-part" aria-labelledby="messages-sight">
        <h2 id="messages-sight">What people see</h2>
        <div class="setting-grid">
          <SettingChoice
            name="message_edit_history_visibility_policy"
            label="History of edited messages"
            options={HISTORY}
          />
          <SettingChoice name="topics_policy" label="Topics" options={TOPICS} />
          <SettingChoice name="giphy_rating" label="Animations" options={RATINGS} write={Number} />
        </div>
        <SettingToggle
          name="enable_read_receipts"
          label="People see who has read a message"
          hint="Everybody can hide that they have read something, in their own settings."
        />
        <SettingToggle
          name="presence_disabled"
          label="People see who is online"
          hint="If it is off, the server also does not record who was here when."
          isInverted
        />
        <SettingToggle
          name="message_content_allowed_in_email_notifications"
          label="Mails about messages may contain the messages"
        />
        {state.server_web_public_streams_enabled && (
          <SettingToggle
            name="enable_spectator_access"
            label="Visitors without an account may read web-public channels"
            hint="The log-in page offers these channels. Each is opened in its settings."
          />
        )}
      </section>
      <section class="settings-part" aria-labelledby="messages-retention">
        <h2 id="messages-retention">How long messages stay</h2>
        <RetentionSetting />
      </section>
    </>
  )
}
