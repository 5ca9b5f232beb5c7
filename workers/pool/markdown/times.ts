/** Times that each reader sees in their own time zone: `<time:2026-03-01T12:00Z>`. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml, pushHtml } from './html.ts'
import { parseTime } from './parse-time.ts'

const OPENER = '<time:'

export function times(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('entity', 'time', readTimeAt)
}

function readTimeAt(state: StateInline, isDryRun: boolean): boolean {
  if (!state.src.startsWith(OPENER, state.pos)) return false
  const end = state.src.indexOf('>', state.pos)
  if (end < 0 || end >= state.posMax) return false
  const written = state.src.slice(state.pos + OPENER.length, end)
  if (written.includes('\n')) return false
  if (!isDryRun) pushHtml(state, renderTime(written))
  state.pos = end + 1
  return true
}

function renderTime(written: string): string {
  const time = parseTime(written)
  const text = escapeHtml(written)
  return time === undefined
    ? `<span class="timestamp-error">Invalid time format: ${text}</span>`
    : `<time datetime="${time}">${text}</time>`
}
