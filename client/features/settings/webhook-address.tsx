/** The address of a webhook, which is shown once, and a message to try it. */

import { useSignal } from '@preact/signals'
import { copyText } from '../../ui/copy-text.ts'
import { problemText } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

interface WebhookAddressProps {
  readonly address: string
  /** The address that posts any text by the same key, to the same place. */
  readonly test: string
}

export function WebhookAddress({ address, test }: WebhookAddressProps) {
  const outcome = useSignal<{ readonly text: string; readonly isProblem: boolean } | undefined>(undefined)
  const send = async () => {
    outcome.value = undefined
    try {
      await post(test)
      outcome.value = { text: t('Sent. It should be there now.'), isProblem: false }
    } catch (error) {
      outcome.value = { text: problemText(error), isProblem: true }
    }
  }
  const now = outcome.value
  return (
    <>
      <div class="note key-shown">
        <code dir="ltr">{address}</code>
        <button class="button small" onClick={() => void copyText(address, t('Address copied'))}>
          {t('Copy')}
        </button>
        <small>
          {t('Copy it now. It won’t be shown again. It contains a key, which you can revoke under Bots.')}
        </small>
      </div>
      <div class="actions start">
        <button class="button" onClick={() => void send()}>
          {t('Send a test message')}
        </button>
        <span class="saved-note" role="status">
          {now && <span class={now.isProblem ? 'refused' : undefined}>{now.text}</span>}
        </span>
      </div>
    </>
  )
}

/** Posts as the other system would; throws an error with the answer of the server if it refuses. */
async function post(address: string): Promise<void> {
  const { pathname, search } = new URL(address)
  const response = await fetch(pathname + search, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: t('This is a test message.'),
  })
  if (response.ok) return
  const answer = (await response.json()) as { readonly msg?: string }
  throw new Error(answer.msg ?? String(response.status))
}
