/** Says below the own name that notifications are paused, and leads to the page that ends it. */

import { findSilence } from '../../../packages/rules/silence.ts'
import { useApp, useState } from '../../app/app.ts'
import { t } from '../../texts/texts.ts'
import { nearTime } from '../../ui/day-and-time.ts'

export function SilenceLine() {
  const { minute } = useApp()
  const { user_settings: settings } = useState()
  if (!settings) return null
  const { parley_notifications_paused_until: pausedUntil, parley_quiet_hours: quietHours } = settings
  const { isSilent, until } = findSilence({ pausedUntil, quietHours }, Math.floor(minute.value / 1_000))
  if (!isSilent) return null
  const time = nearTime(until)
  return (
    <a
      class="silence-line"
      href="#settings/sessions"
      title={t('Notifications are paused until {time}', { time })}
    >
      {t('Silent until {time}', { time })}
    </a>
  )
}
