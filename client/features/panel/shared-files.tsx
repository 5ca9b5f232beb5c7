/** Files and pictures of a conversation, the newest first. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { keyOf, type Narrow, term, toApi } from '../../store/narrows/narrow.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { dayName } from '../../ui/times.ts'
import { filesOf, type SharedFile } from './files-of.ts'
import { t } from '../../texts/texts.ts'

/** Messages with files that are looked at. */
const MESSAGES_MAX = 50

export function SharedFiles({ narrow }: { readonly narrow: Narrow }) {
  const { api, live } = useApp()
  const files = useSignal<readonly SharedFile[] | 'loading' | 'failed'>('loading')
  const round = useSignal(0)
  const key = keyOf(narrow)
  useEffect(() => {
    files.value = 'loading'
  }, [key])
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      try {
        const { messages } = await api.callWith(stop, 'GET /messages', {
          anchor: 'newest',
          num_before: MESSAGES_MAX,
          num_after: 0,
          narrow: toApi([...narrow, term('has', 'attachment')]),
          allow_empty_topic_name: true,
          apply_markdown: true,
        })
        files.value = filesOf(messages)
      } catch {
        if (!stop.signal.aborted) files.value = 'failed'
      }
    }
    void load()
    return () => stop.abort()
  }, [key, round.value])
  useEffect(
    () =>
      live.listen((update) => {
        const isOfFile =
          update.kind === 'event' &&
          update.event.type === 'message' &&
          update.event.message.content.includes('/user_uploads/')
        if (isOfFile) round.value++
      }),
    [],
  )
  return (
    <section aria-labelledby="panel-files">
      <h4 id="panel-files">{t('Files and pictures')}</h4>
      <Files files={files.value} onRetry={() => round.value++} />
    </section>
  )
}

interface FilesProps {
  readonly files: readonly SharedFile[] | 'loading' | 'failed'
  readonly onRetry: () => void
}

function Files({ files, onRetry }: FilesProps) {
  if (files === 'loading') return <p class="quiet-text">{t('Loading…')}</p>
  if (files === 'failed')
    return (
      <p class="quiet-text">
        {t('Couldn’t load files.')}{' '}
        <button class="button small" onClick={onRetry}>
          {t('Try again')}
        </button>
      </p>
    )
  if (files.length === 0)
    return <p class="quiet-text">{t('No files yet. Drop a file into a message to share it.')}</p>
  const pictures = files.filter(({ thumbnail }) => thumbnail !== undefined)
  const others = files.filter(({ thumbnail }) => thumbnail === undefined)
  return (
    <>
      {pictures.length > 0 && (
        <ul class="pictures">
          {pictures.map(({ href, name, thumbnail, sender }) => (
            <li key={href}>
              <a href={href} target="_blank" rel="noreferrer" title={`${name} (${sender})`}>
                <img src={thumbnail} alt={name} loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <ul>
        {others.map((file) => (
          <FileRow key={file.href} file={file} />
        ))}
      </ul>
    </>
  )
}

/** The ending of a name, as far as it fits the box. */
const ENDING = /\.([a-z\d]{1,4})$/i

function FileRow({ file: { href, name, sender, sentAt } }: { readonly file: SharedFile }) {
  const { minute } = useApp()
  return (
    <li>
      <a class="file-row" href={href} target="_blank" rel="noreferrer">
        <span class="kind" aria-hidden="true">
          {ENDING.exec(name)?.[1]?.toUpperCase() ?? <RareIcon name="file" />}
        </span>
        <span class="name" dir="auto">
          {name}
        </span>
        <small class="name">
          <bdi>{sender}</bdi>, {dayName(sentAt, minute.value)}
        </small>
      </a>
    </li>
  )
}
