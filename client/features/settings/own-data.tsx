/** An archive of the own data: asked for, made meanwhile, downloaded and deleted. */

import { useEffect } from 'preact/hooks'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { fullTime } from '../../ui/times.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { t } from '../../texts/texts.ts'

export function OwnData() {
  const { api, live } = useApp()
  const { value, problem, reload } = useLoaded(() => api.call('GET /users/me/export'))
  const saving = useSaving()
  const last = value?.exports.at(-1)
  const isPending = last?.pending === true
  // An event says when one is asked for, also at another device, made or deleted.
  useEffect(
    () =>
      live.listen((update) => {
        if (update.kind === 'registered' || update.event.type === 'own_export') reload()
      }),
    [live],
  )
  const ask = () => void saving.save(() => api.call('POST /users/me/export'))
  const remove = (id: number) =>
    void saving.save(() => api.call('DELETE /users/me/export/{export_id}', { export_id: id }))
  return (
    <section class="settings-part" aria-labelledby="own-data">
      <h2 id="own-data">{t('Your data')}</h2>
      <p class="quiet-text">
        {t(
          'An archive of your account, your messages and files, your direct messages, and your settings. Only you can download it, for 30 days.',
        )}
      </p>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {last && <Archive last={last} />}
      <div class="actions start">
        {last?.export_url && (
          <a class="button primary" href={last.export_url} download>
            {t('Download archive')}
          </a>
        )}
        <button class="button" disabled={isPending} onClick={ask}>
          {last?.export_url ? t('Prepare a new archive') : t('Download my data')}
        </button>
        {last?.export_url && (
          <button class="button danger" onClick={() => remove(last.id)}>
            {t('Delete archive')}
          </button>
        )}
        <SavedNote saving={saving} />
      </div>
    </section>
  )
}

type OwnExport = ReplyOf<'GET /users/me/export'>['exports'][number]

function Archive({ last }: { readonly last: OwnExport }) {
  if (last.pending)
    return (
      <p class="quiet-text" role="status">
        {t('Preparing your archive…')} <progress aria-label={t('Progress')} />
      </p>
    )
  if (last.failed_timestamp !== null)
    return <p class="problem">{t('Your archive couldn’t be made. Try again, or ask an administrator.')}</p>
  if (last.export_url === null) return null
  return (
    <p class="quiet-text" role="status">
      {t('Archive of {time}', { time: fullTime(last.export_time) })}
    </p>
  )
}
