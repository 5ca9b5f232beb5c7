/** The pool's task: renders a batch, since handing over costs more than a short message does. */

import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'

/** One text of a batch, with what it may name. */
export interface TextToRender {
  readonly text: string
  readonly snapshot: MentionSnapshot | undefined
}

/** What comes of each text, in order. */
export default function renderBatch(texts: readonly TextToRender[]): RenderedMarkdown[] {
  return texts.map(({ text, snapshot }) => renderMarkdown(text, snapshot))
}
