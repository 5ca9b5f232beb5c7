/** The first message of a day. */

import type { App } from '../../app/app.ts'
import { type Narrow, term, toApi } from '../../store/narrows/narrow.ts'
import { showToast } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

/** Opens a narrow at its first message from a day on, which is like `2026-03-31`, in the time zone of the browser. */
export async function openDay(app: App, narrow: Narrow, day: string): Promise<void> {
  const { messages } = await app.api.call('GET /messages', {
    anchor: 'date',
    anchor_date: new Date(`${day}T00:00`).toISOString(),
    num_before: 0,
    num_after: 1,
    narrow: toApi(app.asked(narrow)),
  })
  const [first] = messages
  // Without such a message the server answers with the newest one.
  const isFound = first !== undefined && first.timestamp * 1_000 >= new Date(`${day}T00:00`).getTime()
  if (!isFound) showToast(t('No messages since that date: these are the latest'))
  app.router.go({ view: 'narrow', narrow: first ? [...narrow, term('near', first.id)] : narrow })
}
