/** Who can join, what newcomers get, and what people may change of themselves. */

import { WELCOME_MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp, useState } from '../../app/app.ts'
import { sayDone, sayProblem } from '../../ui/toasts.tsx'
import { SettingChoice, SettingText, SettingToggle } from './organization-setting.tsx'

const WAITING_DAYS = [0, 1, 3, 7, 14, 30, 90]
const GRACE_DAYS = [-1, 0, 7, 14, 30]
const PICTURE_SOURCES = [
  ['J', 'Drawn by the server'],
  ['G', 'From Gravatar'],
] as const
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export function JoiningSection() {
  const app = useApp()
  const state = useState()
  const text = state.realm_welcome_message_custom_text ?? ''
  const waiting = state.realm_waiting_period_threshold ?? 0
  const days = [...new Set([...WAITING_DAYS, waiting])].sort((a, b) => a - b)
  const grace = state.realm_second_factor_grace_days ?? -1
  const graces = [...new Set([...GRACE_DAYS, grace])].sort((a, b) => a - b)
  const test = () =>
    app.api
      .call('POST /realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text })
      .then(() => sayDone('Sent. It is in your direct messages.'), sayProblem)
  return (
    <>
      <section class="settings-part" aria-labelledby="joining-who">
        <h2 id="joining-who">Who can join</h2>
        <SettingToggle
          name="emails_restricted_to_domains"
          label="Only addresses of the allowed domains"
          hint="The section Allowed domains lists them. Only owners change this."
          isForOwners
        />
        <SettingToggle
          name="disallow_disposable_email_addresses"
          label="No throw-away addresses"
          hint="Refuses addresses of known services for temporary mail. Only owners change this."
          isForOwners
        />
        <SettingChoice
          name="waiting_period_threshold"
          label="New members become full members"
          hint="Permissions can be given to full members only. Only owners change this."
          options={days.map((one) => [String(one), one === 0 ? 'At once' : afterDays(one)] as const)}
          write={Number}
          isForOwners
        />
      </section>
      <section class="settings-part" aria-labelledby="joining-factor">
        <h2 id="joining-factor">Logging in</h2>
        <SettingChoice
          name="second_factor_grace_days"
          label="Require an authenticator app"
          hint="People without one can then only set it up. Bots need none. Only owners who have an app change this."
          options={graces.map((one) => [String(one), afterGrace(one)] as const)}
          write={Number}
          isForOwners
        />
      </section>
      <section class="settings-part" aria-labelledby="joining-welcome">
        <h2 id="joining-welcome">Welcome</h2>
        <SettingText
          name="welcome_message_custom_text"
          label="First message to new people"
          hint="They get it as a direct message. You can use Markdown. Empty for none."
          lengthMax={WELCOME_MESSAGE_LENGTH_MAX}
          isLong
        />
        {text !== '' && (
          <p>
            <button class="button" onClick={() => void test()}>
              Send it to me as a test
            </button>
          </p>
        )}
        <SettingToggle name="send_welcome_emails" label="Send new people a mail of welcome" />
        <SettingToggle
          name="digest_emails_enabled"
          label="Send mails with a digest to people who were away"
        />
        {state.realm_digest_emails_enabled && (
          <SettingChoice
            name="digest_weekday"
            label="Day of the digest"
            options={WEEKDAYS.map((day, index) => [String(index), day] as const)}
            write={Number}
          />
        )}
      </section>
      <section class="settings-part" aria-labelledby="joining-own">
        <h2 id="joining-own">Names and guests</h2>
        <SettingToggle name="name_changes_disabled" label="People may change their names" isInverted />
        <SettingToggle name="require_unique_names" label="Each name must be different" />
        <SettingToggle
          name="email_changes_disabled"
          label="People may change their email addresses"
          isInverted
        />
        <SettingToggle name="avatar_changes_disabled" label="People may change their pictures" isInverted />
        {state.server_gravatar_enabled && (
          <SettingChoice
            name="default_avatar_source"
            label="Pictures of new people without their own"
            hint="People who are here already keep theirs. Other apps load pictures from Gravatar; this page shows a letter instead."
            options={PICTURE_SOURCES}
          />
        )}
        <SettingToggle name="enable_guest_user_indicator" label="Mark the names of guests" />
        <SettingToggle name="enable_guest_user_dm_warning" label="Warn people who write to guests" />
      </section>
    </>
  )
}

function afterGrace(days: number): string {
  if (days < 0) return 'No'
  return days === 0 ? 'At once' : afterDays(days)
}

function afterDays(days: number): string {
  return days === 1 ? 'After one day' : `After ${days} days`
}
