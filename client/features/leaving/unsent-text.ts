/** Things that only this device has, in words. */

import type { Unsent } from '../../app/clear-local-data.ts'
import { countText } from '../../ui/count-text.ts'

/** Such as "2 messages and 1 draft are". */
export function unsentText({ messages, drafts, files, edits }: Unsent): string {
  const counts = [
    [messages, 'message'],
    [drafts, 'draft'],
    [files, 'file'],
    [edits, 'edit'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, noun]) => countText(count, noun))
  const isOne = messages + drafts + files + edits === 1
  return `${new Intl.ListFormat('en').format(parts)} ${isOne ? 'is' : 'are'}`
}
