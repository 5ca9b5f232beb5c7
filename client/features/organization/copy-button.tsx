/** A button that copies a link. */

import { copyLink } from '../../ui/copy-text.ts'
import { t } from '../../texts/texts.ts'

export function CopyButton({ link }: { readonly link: string }) {
  return (
    <button type="button" class="button small" onClick={() => void copyLink(link)}>
      {t('Copy link')}
    </button>
  )
}
