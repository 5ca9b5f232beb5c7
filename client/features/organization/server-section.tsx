/** Sizes, growth, waiting work and reached devices, for owners. */

import type { ComponentChildren } from 'preact'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp } from '../../app/app.ts'
import { sizeText } from '../../ui/size-text.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { locale, t } from '../../texts/texts.ts'
import { WaitingWork } from './waiting-work.tsx'

type Usage = ReplyOf<'GET /realm/usage'>

export function ServerSection() {
  const { api } = useApp()
  const { value: usage, problem, reload } = useLoaded(() => api.call('GET /realm/usage'))
  return (
    <section class="settings-part" aria-labelledby="server">
      <h2 id="server">{t('Server')}</h2>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {usage && <Figures usage={usage} />}
      {!usage && problem === undefined && <Waiting text={t('Loading figures…')} />}
      {usage && (
        <p>
          <button class="button" onClick={reload}>
            {t('Refresh')}
          </button>
        </p>
      )}
    </section>
  )
}

function Figures({ usage }: { readonly usage: Usage }) {
  const { counts, queues, devices } = usage
  return (
    <>
      <dl class="figures">
        <Figure name={t('Messages')} value={numberText(counts.messages)}>
          {counts.bytes_per_message !== null &&
            t('{size} each, with index', { size: sizeText(counts.bytes_per_message) })}
        </Figure>
        <Figure name={t('Files')} value={numberText(counts.files)}>
          {t('{size} in the file store', { size: sizeText(usage.storage.files) })}
        </Figure>
        <Figure
          name={t('Growth in 30 days')}
          value={counts.growth_per_month === null ? '–' : sizeText(counts.growth_per_month)}
        >
          {t(
            '{messages, plural, one {# message} other {# messages}}, {files, plural, one {# file} other {# files}}',
            {
              messages: counts.messages_last_month,
              files: counts.files_last_month,
            },
          )}
        </Figure>
        <Figure name={t('Connected')} value={numberText(queues.connected)}>
          {t('of {count, plural, one {# open session} other {# open sessions}}', { count: queues.all })}
        </Figure>
        <Figure name={t('Notified browsers')} value={numberText(devices.browsers)}>
          {t('{count} reached this week', { count: devices.browsers_reached })}
        </Figure>
        <Figure name={t('Phones')} value={numberText(devices.phones)} />
      </dl>
      {counts.is_estimated && (
        <p class="quiet-text">{t('Numbers of messages are estimates from a sample.')}</p>
      )}
      <Storage storage={usage.storage} />
      <Largest
        id="large-channels"
        title={t('Largest channels')}
        columns={[t('Channel'), t('Messages')]}
        rows={usage.largest_channels.map((one) => [
          one.stream_id,
          one.name || t('Deleted channel'),
          numberText(one.messages),
        ])}
      />
      <Largest
        id="large-people"
        title={t('Most active people')}
        columns={[t('Name'), t('Messages'), t('Files')]}
        rows={usage.largest_users.map((one) => [
          one.user_id,
          one.full_name,
          numberText(one.messages),
          sizeText(one.file_bytes),
        ])}
      />
      <WaitingWork work={usage.work} />
    </>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly children?: ComponentChildren
}

function Figure({ name, value, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        {children !== undefined && <small>{children}</small>}
      </dd>
    </div>
  )
}

/** The database as a bar of its parts. */
function Storage({ storage }: { readonly storage: Usage['storage'] }) {
  const parts = [
    { kind: 'messages', name: t('Messages'), size: storage.messages },
    { kind: 'logs', name: t('Logs of events and changes'), size: storage.logs },
    { kind: 'rest', name: t('Everything else'), size: storage.database - storage.messages - storage.logs },
  ]
  return (
    <>
      <h3>{t('Database: {size}', { size: sizeText(storage.database) })}</h3>
      <div class="shares" aria-hidden="true">
        {parts.map(({ kind, size }) => (
          <i key={kind} class={kind} style={{ flexGrow: size }} />
        ))}
      </div>
      <ul class="share-names">
        {parts.map(({ kind, name, size }) => (
          <li key={kind}>
            <i class={kind} aria-hidden="true" /> {name} <span class="quiet-text">{sizeText(size)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface LargestProps {
  readonly id: string
  readonly title: string
  readonly columns: readonly string[]
  /** The key, the name and the numbers of each row. */
  readonly rows: readonly (readonly [key: number, name: string, ...numbers: string[]])[]
}

function Largest({ id, title, columns, rows }: LargestProps) {
  return (
    <>
      <h3 id={id}>{title}</h3>
      <table class="figure-table" aria-labelledby={id}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, ...numbers]) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {numbers.map((text, column) => (
                <td key={columns[column + 1]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function numberText(count: number): string {
  return count.toLocaleString(locale)
}
