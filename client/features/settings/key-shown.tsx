/** A secret that is shown once, to be copied. */

import { copyText } from '../../ui/copy-text.ts'

export function KeyShown({ apiKey }: { readonly apiKey: string }) {
  return (
    <div class="note key-shown">
      <code>{apiKey}</code>
      <button class="button small" onClick={() => void copyText(apiKey, 'Key copied')}>
        Copy
      </button>
      <small>Copy it now. It won’t be shown again.</small>
    </div>
  )
}
