/** The pool's task: renders a batch, since handing over costs more than a short message does. */

import { renderMarkdown } from './render-markdown.ts'

/** The HTML of each text, in order. */
export default function renderBatch(texts: readonly string[]): string[] {
  return texts.map(renderMarkdown)
}
