/** Moments that each reader sees in their own time zone: `<time:2026-03-01T12:00Z>`. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml, pushHtml } from './html.ts'
import { parseTime } from './parse-time.ts'

const WRITTEN = /<time:([^<>\n]{1,100})>/y

export function times(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('entity', 'time', readTimeAt)
}

/** What is no time stays text. */
function readTimeAt(state: StateInline, isDryRun: boolean): boolean {
  if (!state.src.startsWith('<time:', state.pos)) return false
  WRITTEN.lastIndex = state.pos
  const written = WRITTEN.exec(state.src)?.[1]
  if (written === undefined || WRITTEN.lastIndex > state.posMax) return false
  const end = WRITTEN.lastIndex
  const time = parseTime(written)
  if (time === undefined) return false
  if (!isDryRun) pushHtml(state, `<time datetime="${time}">${escapeHtml(written)}</time>`)
  state.pos = end
  return true
}
