/** Emoji by name, as in `:tada:`. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { contextOf, type RenderContext } from './context.ts'
import { findEmojiCode } from '../emoji/emoji-table.ts'
import { escapeHtml, pushHtml } from './html.ts'

// Bounded, so that a line of colons takes linear time. Names have no capitals.
const WRITTEN = /:([\p{L}\p{N}_.+-]{1,100}):/uy

export function emoji(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'emoji', readEmojiAt)
}

function readEmojiAt(state: StateInline, isDryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a /* : */) return false
  WRITTEN.lastIndex = state.pos
  const name = WRITTEN.exec(state.src)?.[1]
  if (name === undefined || WRITTEN.lastIndex > state.posMax) return false
  const context = contextOf(state.env)
  const html = context.emojiLeft > 0 ? renderNamedEmoji(context, name) : undefined
  if (html === undefined) return false
  if (!isDryRun) {
    context.emojiLeft--
    pushHtml(state, html)
  }
  state.pos += name.length + 2
  return true
}

function renderNamedEmoji({ index }: RenderContext, name: string): string | undefined {
  const custom = index.findEmoji(name)
  if (custom) return renderImage(custom.name, custom.sourceUrl)
  const code = findEmojiCode(name)
  if (code !== undefined) return renderEmoji(name, code)
  return name === EXTRA_EMOJI.name ? renderImage(name, EXTRA_EMOJI.sourceUrl) : undefined
}

/** The server's own extra emoji, which is not a Unicode character. */
export const EXTRA_EMOJI = { name: 'parley', sourceUrl: '/static/emoji/parley.png' } as const

/** A Unicode emoji. */
export function renderEmoji(name: string, code: string): string {
  const words = escapeHtml(name.replaceAll('_', ' '))
  return (
    `<span aria-label="${words}" class="emoji emoji-${code}" role="img" title="${words}">` +
    `:${escapeHtml(name)}:</span>`
  )
}

function renderImage(name: string, sourceUrl: string): string {
  const escaped = escapeHtml(name)
  const title = escaped.replaceAll('_', ' ')
  return `<img alt=":${escaped}:" class="emoji" src="${escapeHtml(sourceUrl)}" title="${title}">`
}
