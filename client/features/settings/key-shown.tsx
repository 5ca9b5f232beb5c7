/** A secret that is shown once, to be copied. */

import { copyText } from '../../ui/copy-text.ts'

export function KeyShown({ apiKey }: { readonly apiKey: string }) {
  return (
    <div class="note key-shown">
      <code>{apiKey}</code>
      <button class="button small" onClick={() => void copyText(apiKey, 'The key is copied.')}>
        Copy
      </button>
      <small>Copy it now: it is not shown again.</small>
    </div>
  )
}
