/** How long messages stay, what others see of them and of people, and who changes them. */

import { useState } from '../../app/app.ts'
import { SettingChoice, SettingToggle } from './organization-setting.tsx'
import { RetentionSetting } from './retention-setting.tsx'
import { TimeLimit } from './time-limit.tsx'

const TOPICS = [
  ['allow_empty_topic', 'Messages can go to the general topic'],
  ['disable_empty_topic', 'Every message needs a topic'],
] as const

const HISTORY = [
  ['all', 'Edits and moves'],
  ['moves', 'Moves only'],
  ['none', 'Hidden'],
] as const

const RATINGS = [
  ['0', 'No GIFs'],
  ['1', 'Rated Y: for young children'],
  ['2', 'Rated G: for everyone'],
  ['3', 'Rated PG: with parental guidance'],
  ['4', 'Rated PG-13: from age 13'],
  ['5', 'Rated R: for adults'],
] as const

export function MessagesSection() {
  return (
    <>
      <Changes />
      <Visibility />
      <section class="settings-part" aria-labelledby="messages-retention">
        <h2 id="messages-retention">Message retention</h2>
        <RetentionSetting />
      </section>
    </>
  )
}

function Changes() {
  const state = useState()
  return (
    <section class="settings-part" aria-labelledby="messages-edit">
      <h2 id="messages-edit">Editing, moving and deleting</h2>
      <SettingToggle name="allow_message_editing" label="People can edit their messages" />
      {state.realm_allow_message_editing && (
        <TimeLimit
          name="message_content_edit_limit_seconds"
          label="Time limit for editing"
          seconds={state.realm_message_content_edit_limit_seconds}
        />
      )}
      <TimeLimit
        name="message_content_delete_limit_seconds"
        label="Time limit for deleting"
        seconds={state.realm_message_content_delete_limit_seconds}
      />
      <TimeLimit
        name="move_messages_within_stream_limit_seconds"
        label="Time limit for moving to another topic"
        seconds={state.realm_move_messages_within_stream_limit_seconds}
      />
      <TimeLimit
        name="move_messages_between_streams_limit_seconds"
        label="Time limit for moving to another channel"
        seconds={state.realm_move_messages_between_streams_limit_seconds}
      />
      <p class="quiet-text">
        <a href="#organization/permissions">Permissions</a> say who can move and delete messages.
      </p>
    </section>
  )
}

function Visibility() {
  const state = useState()
  return (
    <section class="settings-part" aria-labelledby="messages-visibility">
      <h2 id="messages-visibility">Topics, history and privacy</h2>
      <SettingChoice name="topics_policy" label="Topics" options={TOPICS} />
      <SettingChoice name="message_edit_history_visibility_policy" label="Edit history" options={HISTORY} />
      <SettingChoice name="giphy_rating" label="GIFs" options={RATINGS} write={Number} />
      <SettingToggle
        name="enable_read_receipts"
        label="Show read receipts"
        hint="Anyone can turn off their own in their settings."
      />
      <SettingToggle
        name="presence_disabled"
        label="Show who is online"
        hint="When off, the server doesn’t record who was online, either."
        isInverted
      />
      <SettingToggle
        name="message_content_allowed_in_email_notifications"
        label="Include message text in emails"
      />
      {state.server_web_public_streams_enabled && (
        <SettingToggle
          name="enable_spectator_access"
          label="Let visitors without an account read web-public channels"
          hint="The log-in page links to them. Open a channel to the web in its settings."
        />
      )}
    </section>
  )
}
