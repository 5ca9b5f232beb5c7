/** A button that copies a link. */

import { copyLink } from '../../ui/copy-text.ts'

export function CopyButton({ link }: { readonly link: string }) {
  return (
    <button type="button" class="button small" onClick={() => void copyLink(link)}>
      Copy link
    </button>
  )
}
