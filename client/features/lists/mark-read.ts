/** Marks messages as read from the Inbox, with a way back. */

import type { App } from '../../app/app.ts'
import { showToast, showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

/** Ids in one request: the server takes twice as many. */
const BATCH_MAX = 5_000

export async function markRead(app: App, ids: readonly number[]): Promise<void> {
  try {
    await change(app, ids, 'add')
  } catch (error) {
    return showError(error)
  }
  const text = t('{count, plural, one {One message} other {# messages}} marked as read', {
    count: ids.length,
  })
  showToast(text, { text: t('Undo'), run: () => void change(app, ids, 'remove').catch(showError) })
}

async function change({ api }: App, ids: readonly number[], op: 'add' | 'remove'): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH_MAX)
    await api.call('POST /messages/flags', {
      messages: ids.slice(start, start + BATCH_MAX),
      op,
      flag: 'read',
    })
}
