/** Work that waits for a worker, by kind. */

import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { t } from '../../texts/texts.ts'

type Work = ReplyOf<'GET /realm/usage'>['work'][number]

const KINDS: Readonly<Record<Work['kind'], string>> = {
  scheduled_messages: t('Scheduled messages and reminders'),
  notifications: t('Notifications'),
  pushes: t('Push notifications'),
  emails: t('Emails'),
  received_emails: t('Received emails'),
  previews: t('Link previews'),
  search_index: t('Messages for the search index'),
  exports: t('Exports'),
  imports: t('Imports'),
  removed_files: t('Files to delete'),
}

/** Seconds after which due work is late enough to look at the worker. */
const LATE_SECONDS = 60

export function WaitingWork({ work }: { readonly work: readonly Work[] }) {
  const isLate = work.some((one) => one.late_seconds > LATE_SECONDS)
  return (
    <>
      <h3 id="waiting-work">{t('Waiting work')}</h3>
      {isLate && <p class="problem">{t('Some work is late. Check that a worker is running.')}</p>}
      <table class="figure-table" aria-labelledby="waiting-work">
        <thead>
          <tr>
            <th scope="col">{t('Kind')}</th>
            <th scope="col">{t('Waiting')}</th>
            <th scope="col">{t('Late by')}</th>
          </tr>
        </thead>
        <tbody>
          {work.map(({ kind, waiting, late_seconds: late }) => (
            <tr key={kind}>
              <th scope="row">{KINDS[kind]}</th>
              <td>{waiting}</td>
              <td>{lateText(late)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function lateText(seconds: number): string {
  if (seconds < 1) return '–'
  if (seconds < 120) return t('{count} s', { count: Math.round(seconds) })
  if (seconds < 7_200) return t('{count} min', { count: Math.round(seconds / 60) })
  return t('{count} h', { count: Math.round(seconds / 3_600) })
}
