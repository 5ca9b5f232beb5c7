/** Times that each reader sees in their own time zone: `<time:2026-03-01T12:00Z>`. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml, pushHtml } from './html.ts'
import { parseTime } from './parse-time.ts'

// Only up to the next angle bracket, so that many openers cost no more than one.
const WRITTEN = /<time:([^<>\n]*)>/y

export function times(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('entity', 'time', readTimeAt)
}

function readTimeAt(state: StateInline, isDryRun: boolean): boolean {
  if (!state.src.startsWith('<time:', state.pos)) return false
  WRITTEN.lastIndex = state.pos
  const written = WRITTEN.exec(state.src)?.[1]
  if (written === undefined || WRITTEN.lastIndex > state.posMax) return false
  const end = WRITTEN.lastIndex
  if (!isDryRun) pushHtml(state, renderTime(written))
  state.pos = end
  return true
}

function renderTime(written: string): string {
  const time = parseTime(written)
  const text = escapeHtml(written)
  return time === undefined
    ? `<span class="timestamp-error">Invalid time format: ${text}</span>`
    : `<time datetime="${time}">${text}</time>`
}
