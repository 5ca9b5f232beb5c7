/** Files that are added to a message: by the button, pasted or dropped. */

import { useRef } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { useState } from '../../app/app.ts'
import { Uploads } from '../../app/uploads.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { sizeText } from '../../ui/size-text.ts'
import { t } from '../../texts/texts.ts'

const MIB = 1024 * 1024

/** Begins to upload files; returns their placeholders for the text. */
export function takeFiles(app: App, place: DraftPlace, files: readonly File[]): readonly string[] {
  const bytesMax = (app.state.peek().max_file_upload_size_mib ?? 0) * MIB
  return files.flatMap((file) => {
    if (bytesMax === 0 || file.size <= bytesMax) return [app.part(Uploads).start(place, file)]
    app.part(Uploads).refuse(place, file, t('Files can be up to {size}.', { size: sizeText(bytesMax) }))
    return []
  })
}

/** The files of a paste or drop. */
export function filesOf(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])]
}

export function FileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const mib = useState().max_file_upload_size_mib
  const input = useRef<HTMLInputElement>(null)
  // 0 means that the organization has turned uploads off.
  if (mib === 0) return null
  const size = mib === undefined ? undefined : sizeText(mib * MIB)
  return (
    <>
      <button
        type="button"
        class="ghost add"
        aria-label={t('Add files')}
        title={size === undefined ? t('Add files') : t('Add files (up to {size} each)', { size })}
        onClick={() => input.current?.click()}
      >
        <Icon name="add" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={size === undefined ? t('Files') : t('Files (up to {size} each)', { size })}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // The same file may be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
