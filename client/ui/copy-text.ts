/** Copies a text, and says so. */

import { showToast } from './toasts.tsx'
import { t } from '../texts/texts.ts'

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Without TLS there is no clipboard, and a person may forbid it: then the text is shown, to be copied by hand.
    if (!copyByEvent(text)) return showToast(text)
  }
  showToast(done)
}

/** Copies the address of a view, for a colleague. */
export async function copyLink(href: string): Promise<void> {
  await copyText(new URL(href, location.href).href, t('Link copied'))
}

/** As the menu of the browser copies; it works without TLS, too. */
function copyByEvent(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    // A dialog or field below would copy its own selection instead.
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', fill, { capture: true })
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', fill, { capture: true })
  }
}
