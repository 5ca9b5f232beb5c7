/** Limits the nesting of blocks: deeper blocks become text, and nothing is lost. */

import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Levels of blocks; a list and its item are two. Readers cannot follow half as many. */
const LEVEL_MAX = 40

export function nesting(markdown: MarkdownIt): void {
  markdown.block.ruler.before('table', 'too_deep', readAsText)
}

function readAsText(state: StateBlock, startLine: number, endLine: number, isDryRun: boolean): boolean {
  if (isDryRun || state.level < LEVEL_MAX) return false
  let line = startLine
  while (line < endLine && !state.isEmpty(line) && (line === startLine || !isOutside(state, line))) line++
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trim()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = line
  return true
}

function isOutside(state: StateBlock, line: number): boolean {
  return (state.sCount[line] as number) < state.blkIndent
}
