/** Tables: column alignment in the form of this API family. */

import type { MarkdownIt, RendererRule, Token } from 'markdown-it'

export function tables(markdown: MarkdownIt): void {
  markdown.renderer.rules.th_open = openCell
  markdown.renderer.rules.td_open = openCell
}

const openCell: RendererRule = (tokens, index) => {
  const { tag, attrs } = tokens[index] as Token
  const alignment = String(attrs?.[0]?.[1] ?? '').slice('text-align:'.length)
  return alignment === '' ? `<${tag}>` : `<${tag} style="text-align: ${alignment};">`
}
