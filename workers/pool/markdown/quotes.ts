/** Parses inline text, and informs the rules whether it is quoted. */

import type { MarkdownIt } from 'markdown-it'
import { contextOf } from './context.ts'

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
