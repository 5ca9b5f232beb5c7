/** The own uploaded files, and how much room they take. */

import { useSignal } from '@preact/signals'
import type { Attachment } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { term } from '../../store/narrows/narrow.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { useLoaded } from './use-loaded.ts'

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const

function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1_024 && unit < UNITS.length - 1) {
    size /= 1_024
    unit++
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[unit]}`
}

export function Uploads() {
  const app = useApp()
  const quotaMib = useState().realm_upload_quota_mib
  const { value, problem, reload } = useLoaded(() => app.api.call('GET /attachments'))
  const removed = useSignal<Attachment | undefined>(undefined)
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return <Waiting text="Loading your files…" />
  const { attachments, upload_space_used: used } = value
  const own = attachments.reduce((sum, one) => sum + one.size, 0)
  const target = removed.value
  return (
    <section class="settings-part">
      <h2>Uploads</h2>
      <p class="quiet-text">
        Your files use {sizeText(own)}. The organization uses {sizeText(used)}
        {quotaMib ? ` of ${sizeText(quotaMib * 1_024 * 1_024)}` : ''}.
      </p>
      {quotaMib && <progress value={used} max={quotaMib * 1_024 * 1_024} aria-label="Storage used" />}
      {attachments.length === 0 && <p class="empty">No uploads yet</p>}
      <ul class="cards">
        {attachments.map((one) => (
          <li key={one.id} class="card">
            <div class="card-text">
              <a
                class="card-name"
                dir="auto"
                href={`/user_uploads/${one.path_id}`}
                target="_blank"
                rel="noreferrer"
              >
                {one.name}
              </a>
              <small>
                {sizeText(one.size)} · {shortTime(one.create_time, app.minute.value)}
                {one.messages.map(({ id }, index) => (
                  <>
                    {' · '}
                    <a href={app.router.hrefOf({ view: 'narrow', narrow: [term('id', id)] })}>
                      {one.messages.length === 1 ? 'message' : `message ${index + 1}`}
                    </a>
                  </>
                ))}
              </small>
            </div>
            <button class="button" aria-label={`Delete ${one.name}`} onClick={() => (removed.value = one)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      {target && (
        <Confirm
          title={`Delete “${target.name}”?`}
          action="Delete"
          onConfirm={async () => {
            await app.api.call('DELETE /attachments/{attachment_id}', { attachment_id: target.id })
            reload()
          }}
          onClose={() => (removed.value = undefined)}
        >
          <p>Messages that link to it stay, without the file.</p>
        </Confirm>
      )}
    </section>
  )
}
