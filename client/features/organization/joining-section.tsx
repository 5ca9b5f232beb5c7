/** Settings of joining, of the welcome, and of names and guests. */

import { WELCOME_MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp, useState } from '../../app/app.ts'
import { showToast, showError } from '../../ui/toasts.tsx'
import { SettingChoice, SettingText, SettingToggle } from './organization-setting.tsx'
import { t } from '../../texts/texts.ts'

const WAITING_DAYS = [0, 1, 3, 7, 14, 30, 90]
const GRACE_DAYS = [-1, 0, 7, 14, 30]
const PICTURE_SOURCES = [
  ['J', t('Drawn by this server')],
  ['G', 'Gravatar'],
] as const
const WEEKDAYS = [
  t('Monday'),
  t('Tuesday'),
  t('Wednesday'),
  t('Thursday'),
  t('Friday'),
  t('Saturday'),
  t('Sunday'),
]

export function JoiningSection() {
  return (
    <>
      <WhoCanJoin />
      <LoggingIn />
      <Welcome />
      <NamesAndGuests />
    </>
  )
}

function WhoCanJoin() {
  const waiting = useState().realm_waiting_period_threshold ?? 0
  const days = [...new Set([...WAITING_DAYS, waiting])].sort((a, b) => a - b)
  return (
    <section class="settings-part" aria-labelledby="joining-who">
      <h2 id="joining-who">{t('Who can join')}</h2>
      <SettingToggle
        name="emails_restricted_to_domains"
        label={t('Only allow addresses at the allowed domains')}
        hint={t('See Allowed domains. Only owners can change this.')}
        isForOwners
      />
      <SettingToggle
        name="disallow_disposable_email_addresses"
        label={t('Block disposable addresses')}
        hint={t('Blocks known services for temporary email. Only owners can change this.')}
        isForOwners
      />
      <SettingToggle
        name="join_without_confirmation"
        label={t('Let people join by link without confirming their email address')}
        hint={t(
          'For servers that send no email. Anyone with a link can then use any address, also someone else’s. No effect while only allowed domains may join. Only owners can change this.',
        )}
        isForOwners
      />
      <SettingChoice
        name="waiting_period_threshold"
        label={t('New members become full members')}
        hint={t('Some permissions can be limited to full members. Only owners can change this.')}
        options={days.map((one) => [String(one), one === 0 ? t('Right away') : afterDays(one)] as const)}
        write={Number}
        isForOwners
      />
    </section>
  )
}

function LoggingIn() {
  const grace = useState().realm_second_factor_grace_days ?? -1
  const graces = [...new Set([...GRACE_DAYS, grace])].sort((a, b) => a - b)
  return (
    <section class="settings-part" aria-labelledby="joining-factor">
      <h2 id="joining-factor">{t('Logging in')}</h2>
      <SettingChoice
        name="second_factor_grace_days"
        label={t('Require an authenticator app')}
        hint={t(
          'People without one can only set it up, nothing else. Bots don’t need one. Only owners with an app can change this.',
        )}
        options={graces.map((one) => [String(one), afterGrace(one)] as const)}
        write={Number}
        isForOwners
      />
    </section>
  )
}

function Welcome() {
  const app = useApp()
  const state = useState()
  const text = state.realm_welcome_message_custom_text ?? ''
  const test = () =>
    app.api
      .call('POST /realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text })
      .then(() => showToast(t('Sent to your direct messages')), showError)
  return (
    <section class="settings-part" aria-labelledby="joining-welcome">
      <h2 id="joining-welcome">{t('Welcome')}</h2>
      <SettingText
        name="welcome_message_custom_text"
        label={t('Welcome message')}
        hint={t('Sent to new people as a direct message. Supports Markdown. Leave empty for none.')}
        lengthMax={WELCOME_MESSAGE_LENGTH_MAX}
        isLong
      />
      {text !== '' && (
        <p>
          <button class="button" onClick={() => void test()}>
            {t('Send me a test')}
          </button>
        </p>
      )}
      <SettingToggle name="send_welcome_emails" label={t('Send new people a welcome email')} />
      <SettingToggle name="digest_emails_enabled" label={t('Send digest emails to people who were away')} />
      {state.realm_digest_emails_enabled && (
        <SettingChoice
          name="digest_weekday"
          label={t('Digest day')}
          options={WEEKDAYS.map((day, index) => [String(index), day] as const)}
          write={Number}
        />
      )}
    </section>
  )
}

function NamesAndGuests() {
  const { server_gravatar_enabled } = useState()
  return (
    <section class="settings-part" aria-labelledby="joining-own">
      <h2 id="joining-own">{t('Names and guests')}</h2>
      <SettingToggle name="name_changes_disabled" label={t('People can change their names')} isInverted />
      <SettingToggle name="require_unique_names" label={t('Names must be unique')} />
      <SettingToggle
        name="email_changes_disabled"
        label={t('People can change their email addresses')}
        isInverted
      />
      <SettingToggle
        name="avatar_changes_disabled"
        label={t('People can change their pictures')}
        isInverted
      />
      {server_gravatar_enabled && (
        <SettingChoice
          name="default_avatar_source"
          label={t('Default picture for new people')}
          hint={t(
            'People who are already here keep theirs. Other apps load pictures from Gravatar; this page shows a letter instead.',
          )}
          options={PICTURE_SOURCES}
        />
      )}
      <SettingToggle name="enable_guest_user_indicator" label={t('Mark guests’ names')} />
      <SettingToggle
        name="enable_guest_user_dm_warning"
        label={t('Warn people before they message guests')}
      />
    </section>
  )
}

function afterGrace(days: number): string {
  if (days < 0) return t('No')
  return days === 0 ? t('Right away') : afterDays(days)
}

function afterDays(days: number): string {
  return days === 1 ? t('After one day') : t('After {days} days', { days })
}
