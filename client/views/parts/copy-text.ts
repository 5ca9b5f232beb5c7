/** Copies a text, and says so. */

import { sayDone } from './toasts.tsx'

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Without TLS, and if a person forbids it, there is no clipboard.
    return sayDone(text)
  }
  sayDone(done)
}
