/** The own uploaded files, and how much room they take. */

import { useSignal } from '@preact/signals'
import type { Attachment } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { term } from '../../store/narrows/narrow.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { sizeText } from '../../ui/size-text.ts'
import { t } from '../../texts/texts.ts'

export function Uploads() {
  const app = useApp()
  const quotaMib = useState().realm_upload_quota_mib
  const { value, problem, reload } = useLoaded(() => app.api.call('GET /attachments'))
  const removed = useSignal<Attachment | undefined>(undefined)
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return <Waiting text={t('Loading your files…')} />
  const { attachments, upload_space_used: used } = value
  const own = attachments.reduce((sum, one) => sum + one.size, 0)
  const target = removed.value
  return (
    <section class="settings-part">
      <h2>{t('Uploads')}</h2>
      <p class="quiet-text">
        {t('Your files use {size}.', { size: sizeText(own) })}{' '}
        {quotaMib
          ? t('The organization uses {size} of {quota}.', {
              size: sizeText(used),
              quota: sizeText(quotaMib * 1_024 * 1_024),
            })
          : t('The organization uses {size}.', { size: sizeText(used) })}
      </p>
      {quotaMib && <progress value={used} max={quotaMib * 1_024 * 1_024} aria-label={t('Storage used')} />}
      {attachments.length === 0 && <p class="empty">{t('No uploads yet')}</p>}
      <ul class="cards">
        {attachments.map((one) => (
          <UploadCard key={one.id} upload={one} onDelete={() => (removed.value = one)} />
        ))}
      </ul>
      {target && (
        <Confirm
          title={t('Delete “{name}”?', { name: target.name })}
          action={t('Delete')}
          onConfirm={async () => {
            await app.api.call('DELETE /attachments/{attachment_id}', { attachment_id: target.id })
            reload()
          }}
          onClose={() => (removed.value = undefined)}
        >
          <p>{t('Messages that link to it stay, without the file.')}</p>
        </Confirm>
      )}
    </section>
  )
}

/** A file, and the messages that show it. */
function UploadCard({ upload, onDelete }: { readonly upload: Attachment; readonly onDelete: () => void }) {
  const app = useApp()
  return (
    <li class="card">
      <div class="card-text">
        <a
          class="card-name"
          dir="auto"
          href={`/user_uploads/${upload.path_id}`}
          target="_blank"
          rel="noreferrer"
        >
          {upload.name}
        </a>
        <small>
          {sizeText(upload.size)} · {shortTime(upload.create_time, app.minute.value)}
          {upload.messages.map(({ id }, index) => (
            <>
              {' · '}
              <a href={app.router.hrefOf({ view: 'narrow', narrow: [term('id', id)] })}>
                {upload.messages.length === 1 ? t('message') : t('message {number}', { number: index + 1 })}
              </a>
            </>
          ))}
        </small>
      </div>
      <button class="button" aria-label={t('Delete {name}', { name: upload.name })} onClick={onDelete}>
        {t('Delete')}
      </button>
    </li>
  )
}
