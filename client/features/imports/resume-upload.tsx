/** Goes on with the upload of an archive that broke off, perhaps in another browser. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { ArchiveUpload } from '../../app/archive-upload.ts'
import { problemText } from '../../ui/toasts.tsx'
import type { Import } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

interface ResumeUploadProps {
  readonly one: Import
  /** The reason why this page could not go on. */
  readonly reason: string | undefined
}

export function ResumeUpload({ one, reason }: ResumeUploadProps) {
  const app = useApp()
  const problem = useSignal('')
  const id = useId()
  const resume = async (file: File | undefined) => {
    if (!file) return
    problem.value = ''
    try {
      // The upload may have begun after the list was loaded.
      const { imports } = await app.api.call('GET /realm/imports')
      const begun = imports.find((other) => other.id === one.id)
      // A file of another size is another one: it is sent from its start. Names say less: exports of a week may share one.
      const path = begun?.upload_bytes === file.size ? begun.upload_path : undefined
      await app.part(ArchiveUpload).send(one.id, file, path)
    } catch (error) {
      problem.value = problemText(error)
    }
  }
  const text = problem.value || reason
  return (
    <div class="field">
      {text !== undefined && (
        <p class="problem" role="alert">
          {text}
        </p>
      )}
      <label for={`${id}-file`}>{t('The upload isn’t complete. Choose the file again to continue.')}</label>
      <input
        id={`${id}-file`}
        type="file"
        onChange={(event) => void resume(event.currentTarget.files?.[0])}
      />
    </div>
  )
}
