/** Files on their way: how far each is, and pause, resume and cancel. */

import { useApp } from '../../app/app.ts'
import { type UploadEntry, Uploads } from '../../app/uploads.ts'
import { type DraftPlace, draftKey } from '../../store/drafts/draft-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { sizeText } from './size-text.ts'

export function UploadRows({ place }: { readonly place: DraftPlace }) {
  const uploads = useApp().part(Uploads)
  const key = draftKey(place)
  const entries = uploads.entries.value.filter((one) => draftKey(one.place) === key)
  if (entries.length === 0) return null
  return (
    <ul class="uploads" aria-label="Uploads">
      {entries.map((entry) => (
        <UploadRow key={entry.id} entry={entry} />
      ))}
    </ul>
  )
}

function UploadRow({ entry }: { readonly entry: UploadEntry }) {
  const uploads = useApp().part(Uploads)
  const { id, name, bytesStored, bytesTotal, phase } = entry
  return (
    <li class={`upload ${phase.name}`}>
      <RareIcon name="file" />
      <span class="name" dir="auto">
        {name}
      </span>
      {phase.name === 'running' || phase.name === 'paused' ? (
        <progress aria-label={`Upload of ${name}`} value={bytesStored} max={Math.max(1, bytesTotal)} />
      ) : (
        <span class="reason" role="alert">
          {phase.name === 'failed' ? phase.reason : 'The browser lost this file. Add it again.'}
        </span>
      )}
      <small>{phase.name === 'paused' ? `Paused, ${sizeText(bytesTotal)}` : sizeText(bytesTotal)}</small>
      {phase.name === 'running' && (
        <button
          type="button"
          class="ghost"
          aria-label={`Pause ${name}`}
          title="Pause"
          onClick={() => uploads.pause(id)}
        >
          <RareIcon name="pause" />
        </button>
      )}
      {(phase.name === 'paused' || (phase.name === 'failed' && entry.file)) && (
        <button
          type="button"
          class="ghost"
          aria-label={`Resume ${name}`}
          title="Resume"
          onClick={() => uploads.resume(id)}
        >
          <RareIcon name="play" />
        </button>
      )}
      <button
        type="button"
        class="ghost"
        aria-label={`Cancel ${name}`}
        title="Cancel"
        onClick={() => uploads.cancel(id)}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}
