/** Do not disturb: a pause, quiet hours, and texts that stay out of notifications. */

import { useSignal } from '@preact/signals'
import { findSilence } from '../../../packages/rules/silence.ts'
import { useApp } from '../../app/app.ts'
import { t } from '../../texts/texts.ts'
import { ChooseTime } from '../../ui/choose-time.tsx'
import { nearTime } from '../../ui/day-and-time.ts'
import { clockTime } from '../../ui/times.ts'
import { showError } from '../../ui/toasts.tsx'
import { QuietHoursFields } from './quiet-hours-fields.tsx'
import { SettingSwitches } from './setting-switches.tsx'
import { useOwnSettings } from './use-own-settings.ts'

const HOUR_SECONDS = 3_600
/** The hour at which a pause until tomorrow ends. */
const MORNING_HOUR = 9

export function DoNotDisturb() {
  const { dialogs } = useApp()
  const { settings, change } = useOwnSettings()
  if (!settings) return null
  const { parley_notifications_paused_until: pausedUntil, parley_quiet_hours: quietHours } = settings
  return (
    <>
      <section class="settings-part">
        <h2>{t('Do not disturb')}</h2>
        <p class="quiet-text">
          {t('Your phones and browsers stay silent, and emails wait until it’s over.')}{' '}
          {t('Other desktop apps don’t know about it, and still show their own notifications while open.')}{' '}
          {t('Nobody else sees it.')}{' '}
          <button class="link" onClick={() => (dialogs.status.value = true)}>
            {t('Set a status to let people know')}
          </button>
        </p>
        <Pause
          pausedUntil={pausedUntil}
          quietHours={quietHours}
          onPause={(until) => void change({ parley_notifications_paused_until: until }).catch(showError)}
        />
        <QuietHoursFields text={quietHours} onSave={(text) => change({ parley_quiet_hours: text })} />
      </section>
      <SettingSwitches
        title={t('Privacy of notifications')}
        switches={[
          [
            'parley_hide_notification_text',
            t('Hide the text of messages'),
            t('In push notifications, emails and desktop notifications.'),
          ],
        ]}
      />
    </>
  )
}

interface PauseProps {
  readonly pausedUntil: number
  readonly quietHours: string
  /** Pauses until a time, in UNIX seconds; 0 ends the pause. */
  readonly onPause: (until: number) => void
}

function Pause({ pausedUntil, quietHours, onPause }: PauseProps) {
  const isChoosing = useSignal(false)
  const now = Math.floor(useApp().minute.value / 1_000)
  const { isSilent, until } = findSilence({ pausedUntil, quietHours }, now)
  const isPaused = pausedUntil > now
  const time = Number.isFinite(until) ? nearTime(until) : ''
  const morning = nextMorning()
  return (
    <>
      <p role="status">
        {!isSilent && time === '' && t('Notifications aren’t paused.')}
        {!isSilent &&
          time !== '' &&
          t('Notifications aren’t paused. The next quiet hours begin {time}.', { time })}
        {isSilent && (
          <b>{isPaused ? t('Paused until {time}', { time }) : t('Quiet hours until {time}', { time })}</b>
        )}
      </p>
      <div class="actions start">
        {isPaused && (
          <button class="button primary" onClick={() => onPause(0)}>
            {t('Resume now')}
          </button>
        )}
        <button class="button" onClick={() => onPause(Math.floor(Date.now() / 1_000) + HOUR_SECONDS)}>
          {t('Pause for 1 hour')}
        </button>
        <button class="button" onClick={() => onPause(morning)}>
          {t('Until tomorrow, {time}', { time: clockTime(morning) })}
        </button>
        <button class="button" onClick={() => (isChoosing.value = true)}>
          {t('Until…')}
        </button>
      </div>
      {isChoosing.value && (
        <ChooseTime
          title={t('Pause notifications')}
          action={t('Pause')}
          onChoose={(atMs) => {
            isChoosing.value = false
            onPause(Math.floor(atMs / 1_000))
          }}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </>
  )
}

/** UNIX seconds. */
function nextMorning(): number {
  const morning = new Date()
  morning.setDate(morning.getDate() + 1)
  return morning.setHours(MORNING_HOUR, 0, 0, 0) / 1_000
}
