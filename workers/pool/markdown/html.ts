/** Writes HTML: escaping, and tokens with ready HTML. */

import type { MarkdownIt, StateInline, Token } from 'markdown-it'

/** A token with ready HTML as its content. */
const READY_HTML = 'ready_html'

const SPECIAL = /[&<>"]/g
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPED[character] as string)
}

/** Adds HTML to a line of text; user content in it must be escaped. */
export function pushHtml(state: StateInline, html: string): void {
  state.push(READY_HTML, '', 0).content = html
}

/** An HTML token, for rules that assemble tokens themselves. */
export function htmlToken(TokenClass: typeof Token, html: string): Token {
  const token = new TokenClass(READY_HTML, '', 0)
  token.content = html
  return token
}

/** Makes the renderer copy ready HTML. */
export function readyHtml(markdown: MarkdownIt): void {
  markdown.renderer.rules[READY_HTML] = (tokens, index) => (tokens[index] as Token).content
}
