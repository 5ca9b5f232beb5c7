/** On the log-in page: something unsent waits on this device for its person, or to be deleted. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findUnsent, isAllSent, clearLocalData, type Unsent } from '../../app/clear-local-data.ts'
import { unsentText } from './unsent-text.ts'
import { t } from '../../texts/texts.ts'

export function UnsentNote() {
  const unsent = useSignal<Unsent | undefined>(undefined)
  useEffect(() => {
    findUnsent().then(
      (found) => (unsent.value = found),
      () => undefined, // The browser has no database: then nothing waits in it.
    )
  }, [])
  if (!unsent.value || isAllSent(unsent.value)) return null
  return (
    <section class="visit-offer" aria-label={t('Unsent on this device')}>
      <p>
        {t(
          '{count, plural, one {{things} is} other {{things} are}} unsent on this device, waiting for the same person to log in again.',
          unsentText(unsent.value),
        )}
      </p>
      <button type="button" class="button danger" onClick={() => void clearLocalData()}>
        {t('Delete')}
      </button>
    </section>
  )
}
