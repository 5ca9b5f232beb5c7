/** Common handling of all links, whatever their syntax: their targets, and the facts about the message that follow. */

import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { UPLOADS_BASE } from '../../../server/domain/files/uploads.ts'
import { contextOf, type RenderContext } from './context.ts'
import { relativeUrl } from './link-urls.ts'
import { decodePath } from './uploads.ts'

export function links(markdown: MarkdownIt): void {
  markdown.core.ruler.after('linkify', 'links', (state) => {
    const context = contextOf(state.env)
    for (const { children } of state.tokens) if (children) completeLinks(state, context, children)
  })
}

function completeLinks(state: StateCore, context: RenderContext, tokens: Token[]): void {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    if (token.type !== 'link_open') continue
    const written = String(token.attrGet('href') ?? '')
    const href = relativeUrl(written, context.snapshot.realmUrl)
    token.attrSet('href', href)
    context.found.hasLink = true
    if (href.startsWith(UPLOADS_BASE)) context.found.attachmentPaths.add(decodePath(href))
    if (showsNothing(tokens, index)) showUrl(state, tokens, index, written)
  }
}

/** Whether a link has no visible text to click on. */
function showsNothing(tokens: readonly Token[], open: number): boolean {
  const [first, second] = [tokens[open + 1], tokens[open + 2]]
  if (first?.type === 'link_close') return true
  return first?.type === 'text' && first.content.trim() === '' && second?.type === 'link_close'
}

function showUrl(state: StateCore, tokens: Token[], open: number, url: string): void {
  const text = new state.Token('text', '', 0)
  text.content = url
  tokens.splice(open + 1, tokens[open + 1]?.type === 'text' ? 1 : 0, text)
}
