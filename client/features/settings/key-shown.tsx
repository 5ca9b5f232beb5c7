/** A secret that is shown once, to be copied. */

import { copyText } from '../../ui/copy-text.ts'
import { t } from '../../texts/texts.ts'

export function KeyShown({ apiKey }: { readonly apiKey: string }) {
  return (
    <div class="note key-shown">
      <code>{apiKey}</code>
      <button class="button small" onClick={() => void copyText(apiKey, t('Key copied'))}>
        {t('Copy')}
      </button>
      <small>{t('Copy it now. It won’t be shown again.')}</small>
    </div>
  )
}
