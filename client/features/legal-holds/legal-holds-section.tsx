/** Legal holds: what is kept when it is deleted. For owners. */

import { useSignal } from '@preact/signals'
import { Waiting } from '../../ui/waiting.tsx'
import { HoldCard, LiftedCard } from './hold-card.tsx'
import { NewHold } from './new-hold.tsx'
import { useHolds } from './use-holds.ts'
import { Text } from '../../texts/text.tsx'
import { t } from '../../texts/texts.ts'

export function LegalHoldsSection() {
  const { value, problem, reload } = useHolds()
  const isPlacing = useSignal(false)
  return (
    <section class="settings-part" aria-labelledby="legal-holds">
      <div class="page-title">
        <h2 id="legal-holds">{t('Legal holds')}</h2>
        {value && !isPlacing.value && (
          <button class="button" onClick={() => (isPlacing.value = true)}>
            {t('New hold')}
          </button>
        )}
      </div>
      <Explained />
      {isPlacing.value && <NewHold onPlaced={reload} onClose={() => (isPlacing.value = false)} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!value && problem === undefined && <Waiting text={t('Loading legal holds…')} />}
      {value?.holds.length === 0 && !isPlacing.value && (
        <p class="empty">{t('No legal holds. Anything people delete is gone for good.')}</p>
      )}
      {value && value.holds.length > 0 && (
        <ul aria-label={t('Legal holds')}>
          {value.holds.map((hold) => (
            <HoldCard key={hold.id} hold={hold} onLifted={reload} />
          ))}
        </ul>
      )}
      {value && value.lifted.length > 0 && (
        <>
          <h3 id="lifted-holds">{t('Lifted holds')}</h3>
          <ul aria-labelledby="lifted-holds">
            {value.lifted.map((hold) => (
              <LiftedCard key={hold.id} hold={hold} />
            ))}
          </ul>
        </>
      )}
      <p>
        <a href="#organization/audit/legal-holds">{t('Holds in the audit log')}</a>
      </p>
    </section>
  )
}

/** How a hold works, as docs/legal-hold.md has it. */
function Explained() {
  return (
    <>
      <p class="quiet-text">
        {t(
          'A hold keeps messages and files that a court or an investigation may ask for, even if people or retention rules delete them.',
        )}
      </p>
      <details class="explained">
        <summary>{t('How holds work')}</summary>
        <ul class="bullets">
          <li>
            {t(
              'For everyone, held messages and files are deleted as always. Only owners learn of a hold, and only they can place or lift one.',
            )}
          </li>
          <li>
            {t(
              'A hold on people keeps all messages that they sent, all their direct messages, and all their files. A hold on channels keeps all messages that are or were in them.',
            )}
          </li>
          <li>
            {t(
              'It keeps each text with its edits, reactions and files. Anything deleted before the hold began is gone.',
            )}
          </li>
          <li>
            <Text
              of="The operator of the server exports what is held: <0>{command}</0>"
              values={{ command: 'npm run -s admin -- export hold.zip --hold NAME' }}
              parts={[<code dir="ltr" />]}
            />
          </li>
        </ul>
      </details>
    </>
  )
}
