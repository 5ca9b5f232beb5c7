/** Begins an import: the product, its archive, and what to do with it. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { ArchiveUpload } from '../../app/archive-upload.ts'
import { CheckField, SelectField } from '../../ui/fields.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { ARCHIVE_HINTS, LINKING_PRODUCTS, PRODUCT_NAMES } from './import-words.ts'
import type { Import } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

type Product = Import['product']

const PRODUCTS = Object.entries(PRODUCT_NAMES) as [Product, string][]

export function BeginImport() {
  const app = useApp()
  const saving = useSaving()
  const product = useSignal<string>('slack')
  const file = useSignal<File | undefined>(undefined)
  const isFetching = useSignal(false)
  const isKeepingRoles = useSignal(false)
  const id = useId()
  const chosen = product.value as Product
  const mayFetch = LINKING_PRODUCTS.includes(chosen)
  const begin = async (event: Event) => {
    event.preventDefault()
    const archive = file.value
    if (!archive) return
    await saving.save(async () => {
      const { id: importId } = await app.api.call('POST /realm/imports', {
        product: chosen,
        file_name: archive.name,
        fetch_files: mayFetch && isFetching.value,
        keep_roles: isKeepingRoles.value,
      })
      void app.part(ArchiveUpload).send(importId, archive)
    })
  }
  return (
    <form class="form" aria-label={t('New import')} onSubmit={(event) => void begin(event)}>
      <div class="setting-grid">
        <SelectField label={t('From')} value={product} options={PRODUCTS} />
        <div class="field">
          <label for={`${id}-file`}>{t('File')}</label>
          <input
            id={`${id}-file`}
            type="file"
            required
            aria-describedby={`${id}-hint`}
            onChange={(event) => (file.value = event.currentTarget.files?.[0])}
          />
          <small id={`${id}-hint`}>{ARCHIVE_HINTS[chosen]}</small>
        </div>
      </div>
      <fieldset class="choices">
        <legend>{t('Options')}</legend>
        {mayFetch && (
          <CheckField
            label={t('Download files and pictures that the export only links to')}
            value={isFetching}
          />
        )}
        <CheckField label={t('Keep the roles of owners, admins and moderators')} value={isKeepingRoles} />
      </fieldset>
      <div class="actions start">
        <button class="button primary" disabled={!file.value || saving.state.value.phase === 'saving'}>
          {t('Upload and check')}
        </button>
        <SavedNote saving={saving} />
      </div>
    </form>
  )
}
