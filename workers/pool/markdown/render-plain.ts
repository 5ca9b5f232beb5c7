/** Renders plain sentences, as most messages of a chat are, without the parser: a twentieth of its time. */

import { compileLinkifiers } from './compile-linkifier.ts'
import { escapeHtml } from './html.ts'
import type { MentionSnapshot } from './snapshot.ts'

/** Latin, Greek and Cyrillic letters, kana, Chinese characters and Hangul: none is an emoji, a space or punctuation. */
const LETTER = String.raw`A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\u024f\u0370-\u0373\u0388-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`
/**
 * One line that no rule of the dialect reads: it starts like no block, has no mark of inline syntax, no dot as in an
 * address, and no colon as before the name of an emoji.
 */
const PLAIN = new RegExp(
  String.raw`^(?!\d+\.)[${LETTER}0-9"'(](?:[${LETTER}0-9 ,;?!"'()/%+=-]|\.(?![${LETTER}])|:(?=[ ,;?!"'()]))*(?<! )$`,
)

/** The HTML of a plain text; undefined for a text that needs the parser. */
export function renderPlain(
  text: string,
  { isTranslatingEmoticons, linkifiers }: MentionSnapshot,
): string | undefined {
  if (isTranslatingEmoticons || !PLAIN.test(text)) return undefined
  if (linkifiers.length > 0 && compileLinkifiers(linkifiers).some(({ literal }) => text.includes(literal)))
    return undefined
  return `<p>${escapeHtml(text)}</p>`
}
