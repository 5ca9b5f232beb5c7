/** Markdown to HTML alone, for texts of which nothing else matters, such as descriptions. */

import { renderMarkdown as renderDialect } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'

/** The HTML of a text; without a snapshot it names nobody. */
export function renderMarkdown(text: string, snapshot?: MentionSnapshot): string {
  return renderDialect(text, snapshot).html
}
