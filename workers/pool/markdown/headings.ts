/** Headings need content: signs alone are text. */

import type { MarkdownIt } from 'markdown-it'

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
