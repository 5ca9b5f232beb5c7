/**
 * The badge of the installed client. The number is the page's, which counts by the settings of its person. While no page runs,
 * a push sets a badge without a number, and the withdrawal of the last one clears it.
 */

import { askPages } from './ask-page.ts'
import type { Push } from './show-push.ts'

/** Shows that a push came, or that the last one was read, unless a page shows its number. */
export async function noteBadge(clients: Clients, { notification, app_badge: count }: Push): Promise<void> {
  if (count === undefined || !('setAppBadge' in navigator)) return
  const isNews = notification !== undefined
  if (!isNews && count > 0) return // The badge stands.
  if (await askPages(clients, { kind: 'badge' })) return
  // Nothing waits for it: some systems never answer, and a page that is not installed is refused.
  const change = isNews && count > 0 ? navigator.setAppBadge() : navigator.clearAppBadge()
  change.catch(() => undefined)
}
