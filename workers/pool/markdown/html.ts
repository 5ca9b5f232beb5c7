/** Writing HTML: escaping, and tokens that hold it ready. */

import type { MarkdownIt, StateInline, Token } from 'markdown-it'

/** The token whose content is HTML of our own making. */
const READY_HTML = 'ready_html'

const SPECIAL = /[&<>"]/g
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPED[character] as string)
}

/** Adds HTML to a line of text; what it holds of the user's must be escaped. */
export function pushHtml(state: StateInline, html: string): void {
  state.push(READY_HTML, '', 0).content = html
}

/** A token of HTML, for rules that put tokens together by themselves. */
export function htmlToken(TokenClass: typeof Token, html: string): Token {
  const token = new TokenClass(READY_HTML, '', 0)
  token.content = html
  return token
}

/** Teaches the renderer to copy ready HTML. */
export function readyHtml(markdown: MarkdownIt): void {
  markdown.renderer.rules[READY_HTML] = (tokens, index) => (tokens[index] as Token).content
}
