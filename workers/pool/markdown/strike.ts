/** `~~struck out~~`, which may begin and end with spaces, within one line. */

import type { MarkdownIt, StateInline } from 'markdown-it'

const TILDE = 0x7e
// Only up to the next tilde, so that many openers cost no more than one.
const STRUCK = /~~([^~\n]+)~~(?!~)/y

export function strike(markdown: MarkdownIt): void {
  markdown.inline.ruler.at('strikethrough', readStruck)
  markdown.inline.ruler2.disable('strikethrough')
}

function readStruck(state: StateInline, isDryRun: boolean): boolean {
  const { pos, posMax, src } = state
  if (src.charCodeAt(pos) !== TILDE || src.charCodeAt(pos - 1) === TILDE) return false
  STRUCK.lastIndex = pos
  const match = STRUCK.exec(src)
  const end = STRUCK.lastIndex
  if (!match || end > posMax) return false
  if (!isDryRun) {
    state.push('del_open', 'del', 1)
    state.pos = pos + 2
    state.posMax = end - 2
    state.md.inline.tokenize(state)
    state.push('del_close', 'del', -1)
    state.posMax = posMax
  }
  state.pos = end
  return true
}
