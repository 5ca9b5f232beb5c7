/** A word on the connection while it is lost: what is typed meanwhile is sent later. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { t } from '../texts/texts.ts'

/** Short interruptions are nobody's business. */
const SHOWN_AFTER_MS = 1_000

export function ConnectionNote() {
  const { live } = useApp()
  const status = live.status.value
  const isLate = useSignal(false)
  const isAway = status.phase === 'offline' || status.phase === 'connecting'
  useEffect(() => {
    isLate.value = false
    if (!isAway) return
    const timer = setTimeout(() => (isLate.value = true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isAway])
  if (!isAway || !isLate.value) return <div role="status" />
  return (
    <div class="connection" role="status">
      {t('Can’t reach the server. Your messages will be sent later.')}
      <button class="button" onClick={() => live.retryNow()}>
        {t('Try now')}
      </button>
    </div>
  )
}
