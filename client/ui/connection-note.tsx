/** A word on the connection while it is lost: what is typed meanwhile is sent later. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { t } from '../texts/texts.ts'
import { shortTime } from './times.ts'

/** Short interruptions are nobody's business. */
const SHOWN_AFTER_MS = 1_000

export function ConnectionNote() {
  const { live } = useApp()
  const status = live.status.value
  const copyMs = live.copyMs.value
  const isLate = useSignal(false)
  const isAway = status.phase === 'offline' || status.phase === 'connecting'
  useEffect(() => {
    isLate.value = false
    if (!isAway) return
    const timer = setTimeout(() => (isLate.value = true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isAway])
  if (!isAway || (!isLate.value && copyMs === undefined)) return <div role="status" />
  return (
    <div class="connection" role="status">
      {copyMs === undefined
        ? t('Can’t reach the server. Your messages will be sent later.')
        : t('Offline. Last updated: {time}. Your messages will be sent later.', {
            time: shortTime(copyMs / 1000, Date.now()),
          })}
      <button class="button" onClick={() => live.retryNow()}>
        {t('Try now')}
      </button>
    </div>
  )
}
