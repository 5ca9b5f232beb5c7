/** Says why nothing reaches the person who is away, by push and by email, with a way out for each reason. */

import type { ComponentChildren } from 'preact'
import { useApp, useState } from '../../app/app.ts'
import { findReach, type ReachReason, refusesAddress } from '../../store/derived/reach.ts'
import { t } from '../../texts/texts.ts'
import { nearTime } from '../../ui/day-and-time.ts'
import { showError } from '../../ui/toasts.tsx'
import { findObstacle } from '../notifications/web-push.ts'
import type { WebPushes } from './push-devices.tsx'
import { useOwnSettings } from './use-own-settings.ts'

export function ReachNote({ webPushes }: { readonly webPushes: WebPushes }) {
  const { minute } = useApp()
  const reach = findReach({
    state: useState(),
    hasWebPush: webPushes.public_key !== null,
    devices: webPushes.subscriptions,
    phones: webPushes.phones,
    email: webPushes.email,
    isBlockedHere: findObstacle() !== undefined,
    now: Math.floor(minute.value / 1_000),
  })
  const { push, mail } = reach
  if (push.length === 0 && mail.length === 0) return null
  return (
    <section class="settings-part reach">
      <h2>
        {push.length > 0 && mail.length > 0
          ? t('Why nothing reaches you while you’re away')
          : push.length > 0
            ? t('Why no push notifications reach you')
            : t('Why no emails reach you')}
      </h2>
      {push.length > 0 && (
        <Reasons way={t('Push notifications')}>
          {push.map((reason) => (
            <PushReason key={reason.kind} reason={reason} />
          ))}
        </Reasons>
      )}
      {mail.length > 0 && (
        <Reasons way={t('Emails')}>
          {mail.map((reason) => (
            <MailReason key={reason.kind} reason={reason} />
          ))}
        </Reasons>
      )}
    </section>
  )
}

function Reasons({ way, children }: { readonly way: string; readonly children: ComponentChildren }) {
  return (
    <div class="note">
      <h3>{way}</h3>
      <ul class="bullets">{children}</ul>
    </div>
  )
}

function PushReason({ reason }: { readonly reason: ReachReason }) {
  switch (reason.kind) {
    case 'server_off':
      return <li>{t('Your server sends no push notifications. Its operator can turn them on.')}</li>
    case 'no_device':
      return (
        <li>
          {t('None of your browsers or phones gets them.')}{' '}
          {findObstacle() === undefined
            ? t('Turn them on for this browser below, or log in with a mobile app.')
            : t('This browser can’t, as it says below. Use another one, or a mobile app.')}
        </li>
      )
    case 'no_relay':
      return (
        <li>
          {t(
            'Your server can’t reach phones at the moment. Its operator can check the push relay. Browsers work: turn one on below.',
          )}
        </li>
      )
    case 'settings_off':
      return (
        <SettingsReason
          text={t('Your settings turn them off.')}
          changes={{ enable_offline_push_notifications: true }}
        />
      )
    case 'failing':
      return (
        <li>
          {t(
            'The last ones failed, with these answers: {answers}. Send a test below. If it fails again, turn the device off and on.',
            { answers: reason.answers.join(', ') },
          )}
        </li>
      )
    case 'paused':
    case 'quiet':
      return <SilenceReason {...reason} />
  }
}

function MailReason({ reason }: { readonly reason: ReachReason }) {
  switch (reason.kind) {
    case 'server_off':
      return <li>{t('Your server sends no emails. Its operator can change that.')}</li>
    case 'settings_off':
      return (
        <SettingsReason
          text={t('Your settings turn off emails about messages.')}
          changes={{ enable_offline_email_notifications: true }}
        />
      )
    case 'failing':
      return (
        <li>
          {reason.answers.every(refusesAddress)
            ? t(
                'The email server refused your address: {answers}. Check it under “Account”, or give another one.',
                { answers: reason.answers.join(', ') },
              )
            : t('The email server isn’t taking our emails at the moment. We’ll keep trying.')}
        </li>
      )
    case 'paused':
    case 'quiet':
      return <SilenceReason {...reason} isMail />
    default:
      return null
  }
}

interface SettingsReasonProps {
  readonly text: string
  readonly changes: Parameters<ReturnType<typeof useOwnSettings>['change']>[0]
}

function SettingsReason({ text, changes }: SettingsReasonProps) {
  const { change } = useOwnSettings()
  return (
    <li>
      {text}{' '}
      <button class="link" onClick={() => void change(changes).catch(showError)}>
        {t('Turn on for direct messages and mentions')}
      </button>
    </li>
  )
}

interface SilenceReasonProps {
  readonly kind: 'paused' | 'quiet'
  readonly until: number
  readonly isMail?: boolean
}

function SilenceReason({ kind, until, isMail = false }: SilenceReasonProps) {
  const time = nearTime(until)
  const words = isMail
    ? t('They wait until {time}.', { time })
    : kind === 'paused'
      ? t('You paused them until {time}.', { time })
      : t('Your quiet hours last until {time}.', { time })
  return (
    <li>
      {words} {t('You can change that under “Do not disturb”.')}
    </li>
  )
}
