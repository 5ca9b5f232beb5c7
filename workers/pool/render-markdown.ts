/** Renders Markdown to HTML only, for texts such as descriptions. */

import { renderMarkdown as renderDialect } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'

/** The HTML of a text; without a snapshot it has no mentions. */
export function renderMarkdown(text: string, snapshot?: MentionSnapshot): string {
  return renderDialect(text, snapshot).html
}
