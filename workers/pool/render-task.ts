/** The pool's task: renders a batch, since a hand-over costs more than a short message. */

import type { RenderedMarkdown } from './markdown/rendered-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import type { MentionSnapshot } from './markdown/snapshot.ts'

/** One text of a batch, with its snapshot. */
export interface TextToRender {
  readonly text: string
  readonly snapshot: MentionSnapshot | undefined
}

/** The result of one text, and its CPU time. */
export interface TaskResult {
  readonly rendered: RenderedMarkdown
  readonly ms: number
}

/** The result of each text, in order. */
export default function renderBatch(texts: readonly TextToRender[]): TaskResult[] {
  return texts.map(({ text, snapshot }) => {
    const before = process.threadCpuUsage()
    const rendered = renderMarkdown(text, snapshot)
    const { user, system } = process.threadCpuUsage(before)
    return { rendered, ms: (user + system) / 1000 }
  })
}
