/** Any text, as Markdown: for scripts that have nothing but `curl`. */

import type { Integration } from '../integration.ts'
import { UnreadablePayload } from '../payload.ts'

export const text: Integration = {
  name: 'text',
  title: 'Text',
  takes: 'text',
  events: [],
  headers: [],
  read({ payload }) {
    if (typeof payload !== 'string') throw new UnreadablePayload('no text')
    return { event: '', topic: 'Text', content: payload }
  },
}
