/** The pool's task: renders a batch, since handing over costs more than a short message does. */

import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'

/** One text of a batch, with what it may name. */
export interface TextToRender {
  readonly text: string
  readonly snapshot: MentionSnapshot | undefined
}

/** What comes of one text, and what it took of the processor. */
export interface TaskResult {
  readonly rendered: RenderedMarkdown
  readonly ms: number
}

/** What comes of each text, in order. */
export default function renderBatch(texts: readonly TextToRender[]): TaskResult[] {
  return texts.map(({ text, snapshot }) => {
    const before = process.threadCpuUsage()
    const rendered = renderMarkdown(text, snapshot)
    const { user, system } = process.threadCpuUsage(before)
    return { rendered, ms: (user + system) / 1000 }
  })
}
