/** Asks for the second factor that the organization requires, until it is there. */

import { useSignal } from '@preact/signals'
import { useApp } from '../app/app.ts'
import { dayAndTime } from '../ui/day-and-time.ts'
import { useLoaded } from '../ui/use-loaded.ts'
import { t } from '../texts/texts.ts'

export function FactorNote() {
  const app = useApp()
  const isDismissed = useSignal(false)
  const { value } = useLoaded(() => app.api.call('GET /users/me/two_factor'))
  const from = value?.required_from
  if (from == null || isDismissed.value) return null
  return (
    <div class="factor-note" role="status">
      <span>
        {t('Your organization will require an authenticator app from {time}.', { time: dayAndTime(from) })}{' '}
        <a href="/accounts/security">{t('Set it up')}</a>
      </span>
      <button class="button" onClick={() => (isDismissed.value = true)}>
        {t('Later')}
      </button>
    </div>
  )
}
