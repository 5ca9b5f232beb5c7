/** Things that only this device has, in words. */

import type { Unsent } from '../../app/clear-local-data.ts'
import { locale, t } from '../../texts/texts.ts'

/** Values of a text: "2 messages and 1 draft", and how many they are. */
export function unsentText({ messages, drafts, files, edits }: Unsent): { things: string; count: number } {
  const parts = [
    t('{count, plural, =0 {} one {# message} other {# messages}}', { count: messages }),
    t('{count, plural, =0 {} one {# draft} other {# drafts}}', { count: drafts }),
    t('{count, plural, =0 {} one {# file} other {# files}}', { count: files }),
    t('{count, plural, =0 {} one {# edit} other {# edits}}', { count: edits }),
  ]
  return {
    things: new Intl.ListFormat(locale).format(parts.filter((text) => text !== '')),
    count: messages + drafts + files + edits,
  }
}
