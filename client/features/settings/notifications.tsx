/** Settings of notifications: on this device, by push and by email. */

import { useSignal } from '@preact/signals'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { playSound } from '../../ui/sound.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Choice } from '../../ui/setting.tsx'
import { SettingSwitches } from './setting-switches.tsx'
import { useOwnSettings } from './use-own-settings.ts'
import { t } from '../../texts/texts.ts'

type Changes = ParamsOf<'PATCH /settings'>

export function Notifications() {
  return (
    <>
      <BrowserPermission />
      <SettingSwitches
        title={t('Direct messages, mentions and alert words')}
        switches={[
          ['enable_desktop_notifications', t('Desktop notifications')],
          ['enable_sounds', t('Sounds')],
          ['pm_content_in_desktop_notifications', t('Show the text of direct messages')],
          ['wildcard_mentions_notify', t('Include mentions of everyone')],
        ]}
      />
      <SettingSwitches
        title={t('Followed topics')}
        switches={[
          ['enable_followed_topic_desktop_notifications', t('Desktop notifications')],
          ['enable_followed_topic_audible_notifications', t('Sounds')],
          ['enable_followed_topic_wildcard_mentions_notify', t('Include mentions of everyone')],
        ]}
      />
      <SettingSwitches
        title={t('All other messages in channels')}
        switches={[
          ['enable_stream_desktop_notifications', t('Desktop notifications')],
          ['enable_stream_audible_notifications', t('Sounds')],
        ]}
      />
      <ChannelOverrides />
      <SoundAndCounts />
      <Emails />
      <PushTest />
    </>
  )
}

function SoundAndCounts() {
  const { settings, change } = useOwnSettings()
  if (!settings) return null
  return (
    <>
      <section class="settings-part">
        <h2>{t('Sound and counts')}</h2>
        <Choice
          label={t('Sound')}
          value={settings.notification_sound}
          options={settings.available_notification_sounds.map((one) => [
            one,
            one === 'none' ? t('None') : t('Ding'),
          ])}
          onSave={(value) => {
            playSound(value)
            return change({ notification_sound: value as NonNullable<Changes['notification_sound']> })
          }}
        />
        <Choice
          label={t('Unread count in the title and on the icon')}
          value={String(settings.desktop_icon_count_display)}
          options={[
            ['1', t('All unread messages')],
            ['2', t('Direct messages, mentions and followed topics')],
            ['3', t('Direct messages and mentions')],
            ['4', t('None')],
          ]}
          onSave={(value) => change({ desktop_icon_count_display: Number(value) as 1 | 2 | 3 | 4 })}
        />
      </section>
      <section class="settings-part">
        <h2>{t('Topics')}</h2>
        <Choice
          label={t('Follow topics automatically')}
          value={String(settings.automatically_follow_topics_policy)}
          options={[
            ['1', t('Topics I take part in')],
            ['2', t('Topics I post to')],
            ['3', t('Topics I start')],
            ['4', t('Never')],
          ]}
          onSave={(value) => change({ automatically_follow_topics_policy: Number(value) as 1 | 2 | 3 | 4 })}
        />
      </section>
    </>
  )
}

function BrowserPermission() {
  const permission = useSignal(globalThis.Notification ? Notification.permission : 'denied')
  if (permission.value === 'granted') return null
  if (!isSecureContext)
    return (
      <p class="note">
        {t(
          'Browsers show notifications only for secure pages. This page’s address doesn’t start with https.',
        )}
      </p>
    )
  if (permission.value === 'denied')
    return (
      <p class="note">
        {t(
          'Notifications are blocked in this browser. To allow them, click the icon next to the page’s address.',
        )}
      </p>
    )
  const ask = async () => (permission.value = await Notification.requestPermission())
  return (
    <p class="note">
      {t('Parley needs your permission to show notifications in this browser.')}{' '}
      <button class="button" onClick={() => void ask()}>
        {t('Allow notifications')}
      </button>
    </p>
  )
}

/** Channels that notify otherwise than the others. */
/** Seconds, by the words for them. */
const DELAYS = [
  ['0', t('No delay')],
  ['120', t('2 minutes')],
  ['300', t('5 minutes')],
  ['900', '15 minutes'],
  ['3600', t('1 hour')],
  ['21600', t('6 hours')],
  ['86400', t('1 day')],
  ['604800', t('1 week')],
] as const

function Emails() {
  const { settings, change } = useOwnSettings()
  if (!settings) return null
  const delay = String(settings.email_notifications_batching_period_seconds)
  const hasDigests = useState().realm_digest_emails_enabled === true
  const isListed = DELAYS.some(([seconds]) => seconds === delay)
  return (
    <SettingSwitches
      title={t('Emails')}
      switches={[
        [
          'enable_offline_email_notifications',
          t('Direct messages, mentions and alert words'),
          t('Only messages that arrive while you’re away are emailed.'),
        ],
        ['enable_followed_topic_email_notifications', t('Followed topics')],
        ['enable_stream_email_notifications', t('All other messages in channels')],
        ['message_content_in_email_notifications', t('Show the text of messages')],
        ['enable_login_emails', t('Log-ins from new devices')],
        ...(hasDigests ? [['enable_digest_emails', t('Weekly digest while you’re away')] as const] : []),
      ]}
    >
      <Choice
        label={t('Gather messages for')}
        value={delay}
        options={isListed ? DELAYS : [...DELAYS, [delay, t('{delay} seconds', { delay })]]}
        onSave={(value) => change({ email_notifications_batching_period_seconds: Number(value) })}
      />
    </SettingSwitches>
  )
}

function ChannelOverrides() {
  const channels = (useState().subscriptions ?? [])
    .filter((one) => !one.is_archived)
    .filter((one) => one.desktop_notifications !== null || one.email_notifications !== null)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <section class="settings-part">
      <h2>{t('Channels with custom settings')}</h2>
      {channels.length === 0 ? (
        <p class="quiet-text">
          {t('No custom settings. You can change them in a channel’s menu in the sidebar.')}
        </p>
      ) : (
        <ul>
          {channels.map((one) => (
            <li key={one.stream_id}>
              <a class="row" href={`#channels/${one.stream_id}`}>
                <ChannelMark channelId={one.stream_id} />
                <span class="name" dir="auto">
                  {one.name}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function PushTest() {
  const { api } = useApp()
  const saving = useSaving()
  return (
    <section class="settings-part">
      <h2>{t('Test')}</h2>
      <div class="actions start">
        <button
          class="button"
          onClick={() => void saving.save(() => api.call('POST /mobile_push/test_notification', {}))}
        >
          {t('Send a test to my phones')}
        </button>
        <SavedNote saving={saving} />
      </div>
    </section>
  )
}
