/** Web addresses with a scheme: parsed before emphasis, so that stars in them stay. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { readWebAddress } from './read-address.ts'

/** A scheme must not follow a letter. */
const SCHEME = /(?<![\p{L}\p{N}_])(?:https?|ftp)$/iu
const SCHEME_LENGTH_MAX = 5

export function webAddresses(markdown: MarkdownIt): void {
  markdown.inline.ruler.at('linkify', readAddressAt)
}

function readAddressAt(state: StateInline, isDryRun: boolean): boolean {
  const { pos, posMax, src } = state
  // The search for the end of a link's text ignores addresses, which may contain brackets.
  if (isDryRun || state.linkLevel > 0 || !src.startsWith('://', pos)) return false
  const scheme = SCHEME.exec(src.slice(Math.max(0, pos - SCHEME_LENGTH_MAX - 2), pos))?.[0]
  if (scheme === undefined || !state.pending.endsWith(scheme)) return false
  // The current range may be part of a text, such as struck-out text.
  const end = readWebAddress(posMax < src.length ? src.slice(0, posMax) : src, pos + 1)
  if (end === undefined) return false
  const written = src.slice(pos - scheme.length, end)
  const url = state.md.normalizeLink(written)
  if (!state.md.validateLink(url)) return false
  state.pending = state.pending.slice(0, -scheme.length)
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', url]]
  open.markup = 'linkify'
  state.push('text', '', 0).content = written
  state.push('link_close', 'a', -1)
  state.pos = end
  return true
}
