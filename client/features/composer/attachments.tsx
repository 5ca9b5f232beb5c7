/** The files of a message: on their way with how far each is, or linked in its text. */

import { useApp } from '../../app/app.ts'
import { Uploads } from '../../app/uploads.ts'
import { findAttachedFiles } from '../../store/composing/attached-files.ts'
import { type DraftPlace, draftKey } from '../../store/drafts/draft-entry.ts'
import { AttachedTile } from './attached-tile.tsx'
import { RefusedUpload, UploadTile } from './upload-tile.tsx'
import { t } from '../../texts/texts.ts'

interface AttachmentsProps {
  readonly place: DraftPlace
  readonly content: string
}

export function Attachments({ place, content }: AttachmentsProps) {
  const uploads = useApp().part(Uploads)
  const key = draftKey(place)
  const entries = uploads.entries.value.filter((one) => draftKey(one.place) === key)
  const coming = entries.filter(({ phase: { name } }) => name === 'running' || name === 'paused')
  const refused = entries.filter((one) => !coming.includes(one))
  const attached = findAttachedFiles(content)
  return (
    <>
      {refused.length > 0 && (
        <ul class="uploads" aria-label={t('Failed uploads')}>
          {refused.map((entry) => (
            <RefusedUpload key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {coming.length + attached.length > 0 && (
        <ul class="attached" aria-label={t('Files')}>
          {attached.map((file) => (
            <AttachedTile key={`${file.from} ${file.path}`} {...{ place, content, file }} />
          ))}
          {coming.map((entry) => (
            <UploadTile key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </>
  )
}
