/** Small rules of blocks. */

import type { MarkdownIt, StateBlock, RendererRule, Token } from 'markdown-it'
import { contextOf } from './context.ts'

/** Levels of blocks; a list and its item are two. Readers cannot follow half as many. */
const LEVEL_MAX = 40

/** Limits the nesting of blocks: deeper blocks become text, and nothing is lost. */
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

/** Tables: column alignment in the form of this API family. */
export function tables(markdown: MarkdownIt): void {
  markdown.renderer.rules.th_open = openCell
  markdown.renderer.rules.td_open = openCell
}

const openCell: RendererRule = (tokens, index) => {
  const { tag, attrs } = tokens[index] as Token
  const alignment = String(attrs?.[0]?.[1] ?? '').slice('text-align:'.length)
  return alignment === '' ? `<${tag}>` : `<${tag} style="text-align: ${alignment};">`
}

/** Headings need content: signs alone are text. */
export function headings(markdown: MarkdownIt): void {
  markdown.core.ruler.before('inline', 'empty_heading', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [text, close] = [tokens[index + 1], tokens[index + 2]]
      if (token.type !== 'heading_open' || text?.content !== '' || !close) continue
      text.content = token.markup
      token.tag = close.tag = 'p'
    }
  })
}

/** Parses inline text, and informs the rules whether it is quoted. */
export function quotes(markdown: MarkdownIt): void {
  markdown.core.ruler.at('inline', (state) => {
    const context = contextOf(state.env)
    let depth = 0
    for (const token of state.tokens) {
      if (token.type === 'blockquote_open') depth++
      else if (token.type === 'blockquote_close') depth--
      else if (token.type === 'inline' && token.children) {
        context.isQuoted = depth > 0
        state.md.inline.parse(token.content, state.md, state.env, token.children)
      }
    }
  })
}
