/** The report of an import: what would come over, or what came, and what is left out. */

import { useApp } from '../../app/app.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { MatchedPeople } from './matched-people.tsx'
import { TakenChannels } from './taken-channels.tsx'
import type { Import, ImportReport } from './use-imports.ts'
import { locale, t } from '../../texts/texts.ts'

type Place = ImportReport['places'][number]
type LeftOut = ImportReport['left_out']

interface ImportReportProps {
  readonly one: Import
  /** Whether the import has yet to start. */
  readonly isPlan: boolean
}

export function ImportReportView({ one, isPlan }: ImportReportProps) {
  const { api } = useApp()
  const { value, problem } = useLoaded(() =>
    api.call('GET /realm/imports/{import_id}/report', { import_id: one.id }),
  )
  if (problem !== undefined)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (!value) return <Waiting text={t('Loading report…')} />
  const { report } = value
  return (
    <div class="import-report">
      <Totals report={report} />
      {!isPlan && (
        <p>
          {t(
            'Imported people get into their accounts with “Forgot your password?” on the login page, or with their company login.',
          )}
        </p>
      )}
      {isPlan && <TakenChannels one={one} taken={report.taken_channels ?? []} />}
      {isPlan && <MatchedPeople people={report.matched_people ?? []} />}
      <Places places={report.places} names={new Map(one.channel_names.map(toPair))} />
      {report.more_places > 0 && (
        <p class="quiet-text">
          {t('{count, plural, one {# more conversation isn’t} other {# more conversations aren’t}} listed.', {
            count: report.more_places,
          })}
        </p>
      )}
      <Losses title={t('Left out')} losses={report.left_out} />
    </div>
  )
}

function Totals({ report }: { readonly report: ImportReport }) {
  const { users, channels, estimated_minutes: minutes, estimated_disk_mib: mib } = report
  return (
    <dl class="figures">
      <Figure
        name={t('People')}
        count={users.created}
        note={alreadyHere(users.matched + users.already_imported)}
      />
      <Figure
        name={t('Channels')}
        count={channels.created}
        note={alreadyHere(channels.already_imported + (channels.merged ?? 0))}
      />
      <Figure name={t('Messages')} count={report.messages} note={alreadyHere(report.already_imported)} />
      <Figure
        name={t('Files')}
        count={report.files}
        note={t('{count} as links', { count: numberText(report.files_as_links) })}
      />
      {minutes !== undefined && mib !== undefined && (
        <div>
          <dt>{t('Estimate')}</dt>
          <dd>
            <strong>{t('{count} min', { count: Math.max(minutes, 1) })}</strong>
            <small>{t('{size} MB of disk', { size: numberText(mib) })}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}

function alreadyHere(count: number): string | undefined {
  return count === 0 ? undefined : t('{count} already here', { count: numberText(count) })
}

interface FigureProps {
  readonly name: string
  readonly count: number
  readonly note: string | undefined
}

function Figure({ name, count, note }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{numberText(count)}</strong>
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}

const toPair = ({ name, imported_as: here }: Import['channel_names'][number]) => [name, here] as const

interface PlacesProps {
  readonly places: readonly Place[]
  /** The chosen names of channels. */
  readonly names: ReadonlyMap<string, string>
}

function Places({ places, names }: PlacesProps) {
  if (places.length === 0) return null
  return (
    <table class="figure-table">
      <caption>{t('Channels and conversations')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Channel')}</th>
          <th scope="col">{t('Messages')}</th>
          <th scope="col">{t('Topics')}</th>
        </tr>
      </thead>
      <tbody>
        {places.map((place) => (
          <tr key={place.name}>
            <th scope="row" dir="auto">
              {nameText(place.name, names.get(place.name) ?? place.imported_as)}
              <Losses title={t('Left out')} losses={place.left_out} />
            </th>
            <td>{numberText(place.messages + place.already_imported)}</td>
            <td>{numberText(place.topics)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function nameText(name: string, here: string | null): string {
  return here === null || here === name ? name : t('{name} as {other}', { name, other: here })
}

/** Reasons with examples; reasons come from the server in English. */
function Losses({ title, losses }: { readonly title: string; readonly losses: LeftOut }) {
  if (losses.length === 0) return null
  const count = losses.reduce((sum, one) => sum + one.count, 0)
  return (
    <details class="import-losses">
      <summary>{t('{title}: {count}', { title, count: numberText(count) })}</summary>
      <ul>
        {losses.map((one) => (
          <li key={one.reason}>
            {t('{count} × {reason}', { count: numberText(one.count), reason: one.reason })}
            <small dir="auto">{one.examples.join(', ')}</small>
          </li>
        ))}
      </ul>
    </details>
  )
}

function numberText(count: number): string {
  return count.toLocaleString(locale)
}
