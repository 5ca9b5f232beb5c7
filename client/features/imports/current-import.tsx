/** The import that is under way: its upload, its check, its report, and how far it is. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useApp } from '../../app/app.ts'
import { ArchiveUpload } from '../../app/archive-upload.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { sizeText } from '../../ui/size-text.ts'
import { ImportReportView } from './import-report.tsx'
import { PRODUCT_NAMES, STEP_NAMES } from './import-words.ts'
import { ResumeUpload } from './resume-upload.tsx'
import type { Import } from './use-imports.ts'
import { locale, t } from '../../texts/texts.ts'

export function CurrentImport({ one }: { readonly one: Import }) {
  return (
    <div class="card current-import">
      <h3 dir="auto">
        {t('{product}: {file}', { product: PRODUCT_NAMES[one.product], file: one.file_name })}
      </h3>
      {one.phase === 'waiting' && <Upload one={one} />}
      {one.phase === 'checking' && <Progress one={one} label={t('Checking the file')} />}
      {one.phase === 'checked' && <ImportReportView one={one} isPlan={true} />}
      {one.phase === 'running' && (
        <>
          <Progress one={one} label={t('Importing')} />
          <p class="quiet-text">{t('You can leave this page. The import goes on.')}</p>
        </>
      )}
      <Actions one={one} />
    </div>
  )
}

/** The upload of this page, or a way to go on with one that broke off. */
function Upload({ one }: { readonly one: Import }) {
  const state = useApp().part(ArchiveUpload).state.value
  if (state?.importId !== one.id) return <ResumeUpload one={one} reason={undefined} />
  if (state.phase === 'failed') return <ResumeUpload one={one} reason={state.reason} />
  const { bytesStored, bytes } = state
  return (
    <Bar
      label={t('Uploading')}
      value={bytesStored}
      max={bytes}
      text={t('{part} of {whole}', { part: sizeText(bytesStored), whole: sizeText(bytes) })}
    />
  )
}

function Progress({ one, label }: { readonly one: Import; readonly label: string }) {
  const { step, messages } = one.progress ?? { step: 'starting', messages: 0 }
  const counted = messages.toLocaleString(locale)
  const text =
    step !== 'messages'
      ? STEP_NAMES[step]
      : one.messages === null
        ? t('{count} messages read', { count: counted })
        : t('{count} of {total} messages', { count: counted, total: one.messages.toLocaleString(locale) })
  const isCounted = step === 'messages' && one.messages !== null
  return <Bar label={label} value={isCounted ? messages : undefined} max={one.messages ?? 1} text={text} />
}

interface BarProps {
  readonly label: string
  /** Undefined while nobody knows. */
  readonly value: number | undefined
  readonly max: number
  readonly text: ComponentChildren
}

function Bar({ label, value, max, text }: BarProps) {
  return (
    <div class="import-progress">
      <progress
        aria-label={label}
        max={Math.max(max, 1)}
        {...(value === undefined ? {} : { value: Math.min(value, max) })}
      />
      <p>
        <strong>{label}</strong> <span class="quiet-text">{text}</span>
      </p>
    </div>
  )
}

function Actions({ one }: { readonly one: Import }) {
  const app = useApp()
  const asked = useSignal<'start' | 'cancel' | undefined>(undefined)
  const close = () => (asked.value = undefined)
  const isRunning = one.phase === 'running'
  return (
    <div class="actions start">
      {one.phase === 'checked' && (
        <button class="button primary" onClick={() => (asked.value = 'start')}>
          {t('Start import')}
        </button>
      )}
      <button class="button" onClick={() => (asked.value = 'cancel')}>
        {t('Cancel import')}
      </button>
      {asked.value === 'start' && (
        <Confirm
          title={t('Start the import?')}
          action={t('Start import')}
          onConfirm={() => app.api.call('POST /realm/imports/{import_id}/start', { import_id: one.id })}
          onClose={close}
        >
          <p>{t('You can’t undo an import. It sends no emails.')}</p>
        </Confirm>
      )}
      {asked.value === 'cancel' && (
        <Confirm
          title={t('Cancel the import?')}
          action={t('Cancel import')}
          onConfirm={async () => {
            await app.api.call('DELETE /realm/imports/{import_id}', { import_id: one.id })
            app.part(ArchiveUpload).cancel()
          }}
          onClose={close}
        >
          <p>
            {isRunning
              ? t('This deletes the uploaded file. Everything imported so far stays.')
              : t('This deletes the uploaded file.')}
          </p>
        </Confirm>
      )}
    </div>
  )
}
