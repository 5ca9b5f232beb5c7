/** A secret that is shown once, to be copied. */

import { sayDone, sayProblem } from '../parts/toasts.tsx'

export function KeyShown({ apiKey }: { readonly apiKey: string }) {
  const copy = () =>
    navigator.clipboard.writeText(apiKey).then(() => sayDone('The key is copied.'), sayProblem)
  return (
    <div class="note key-shown">
      <code>{apiKey}</code>
      <button class="button small" onClick={() => void copy()}>
        Copy
      </button>
      <small>Copy it now: it is not shown again.</small>
    </div>
  )
}
