/** Moving in from another product: an archive is uploaded, checked, and brought over. For owners. */

import { useSignal } from '@preact/signals'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { BeginImport } from './begin-import.tsx'
import { CurrentImport } from './current-import.tsx'
import { ImportReportView } from './import-report.tsx'
import { PHASE_NAMES, PRODUCT_NAMES } from './import-words.ts'
import { type Import, isOver, useImports } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

export function ImportSection() {
  const { list, problem } = useImports()
  const imports = list.value
  const current = imports?.find((one) => !isOver(one))
  const past = imports?.filter(isOver).toReversed() ?? []
  return (
    <section class="settings-part imports" aria-labelledby="import">
      <h2 id="import">{t('Import')}</h2>
      <p class="quiet-text">
        {t(
          'Bring people, channels, messages and files over from another product. You first see a report of what comes over; nothing changes until you start.',
        )}
      </p>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!imports && problem.value === '' && <Waiting text={t('Loading imports…')} />}
      {imports && !current && <BeginImport />}
      {current && <CurrentImport key={current.id} one={current} />}
      {past.length > 0 && <h3>{t('Earlier imports')}</h3>}
      <ul>
        {past.map((one, index) => (
          <PastImport key={one.id} one={one} isOpen={index === 0 && !current && one.phase === 'done'} />
        ))}
      </ul>
    </section>
  )
}

interface PastImportProps {
  readonly one: Import
  /** Whether its report is shown at once. */
  readonly isOpen: boolean
}

function PastImport({ one, isOpen }: PastImportProps) {
  const isShown = useSignal(isOpen)
  const name = t('{product}: {file}', { product: PRODUCT_NAMES[one.product], file: one.file_name })
  return (
    <li class="card past-import">
      <div class="card-text">
        <strong dir="auto">{name}</strong>
        <small>
          {PHASE_NAMES[one.phase]}, <time>{dayAndTime(one.phase_time)}</time>
        </small>
        {one.reason !== null && (
          <p class="problem" dir="auto">
            {one.reason}
          </p>
        )}
      </div>
      {one.phase === 'done' && (
        <button
          class="button small"
          aria-expanded={isShown.value}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {isShown.value ? t('Hide report') : t('Show report')}
        </button>
      )}
      {one.phase === 'done' && isShown.value && <ImportReportView one={one} isPlan={false} />}
    </li>
  )
}
