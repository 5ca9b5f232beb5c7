/** A file on its way: how far it is, and pause, resume and cancel; or the reason why it does not arrive. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { type UploadEntry, Uploads } from '../../app/uploads.ts'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { FileLook } from './file-look.tsx'
import { sizeText } from '../../ui/size-text.ts'
import { t } from '../../texts/texts.ts'

interface UploadProps {
  readonly entry: UploadEntry
}

export function UploadTile({ entry }: UploadProps) {
  const uploads = useApp().part(Uploads)
  const { id, name, bytesStored, bytesTotal, phase } = entry
  const picture = usePicture(entry)
  const isPaused = phase.name === 'paused'
  return (
    <li class={`tile coming ${phase.name}`} title={`${name}, ${sizeText(bytesTotal)}`}>
      <FileLook name={name} picture={picture} />
      <progress
        aria-label={t('Upload of {name}', { name })}
        value={bytesStored}
        max={Math.max(1, bytesTotal)}
      />
      <span class="tile-tools">
        <button
          type="button"
          class="ghost"
          aria-label={`${isPaused ? t('Resume') : t('Pause')} ${name}`}
          title={isPaused ? t('Resume') : t('Pause')}
          onClick={() => (isPaused ? uploads.resume(id) : uploads.pause(id))}
        >
          <RareIcon name={isPaused ? 'play' : 'pause'} />
        </button>
        <CancelButton entry={entry} />
      </span>
    </li>
  )
}

export function RefusedUpload({ entry }: UploadProps) {
  const uploads = useApp().part(Uploads)
  const { id, name, bytesTotal, phase, file } = entry
  return (
    <li class="upload">
      <RareIcon name="file" />
      <span class="name" dir="auto">
        {name}
      </span>
      <span class="reason" role="alert">
        {phase.name === 'failed' ? phase.reason : t('The browser lost this file. Add it again.')}
      </span>
      <small>{sizeText(bytesTotal)}</small>
      {phase.name === 'failed' && file && (
        <button
          type="button"
          class="ghost"
          aria-label={t('Resume {name}', { name })}
          title={t('Resume')}
          onClick={() => uploads.resume(id)}
        >
          <RareIcon name="play" />
        </button>
      )}
      <CancelButton entry={entry} />
    </li>
  )
}

function CancelButton({ entry: { id, name } }: UploadProps) {
  const uploads = useApp().part(Uploads)
  return (
    <button
      type="button"
      class="ghost"
      aria-label={t('Cancel {name}', { name })}
      title={t('Cancel')}
      onClick={() => uploads.cancel(id)}
    >
      <Icon name="close" />
    </button>
  )
}

/** The address of a picture that this device still has; undefined for other files. */
function usePicture({ file, type }: UploadEntry): string | undefined {
  const address = useSignal<string | undefined>(undefined)
  useEffect(() => {
    // The browser refuses to draw a file that only says that it is a picture.
    if (!file || !type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    address.value = made
    return () => URL.revokeObjectURL(made)
  }, [file, type])
  return address.value
}
