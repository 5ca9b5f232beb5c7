/** Inline formulas: `$$x$$`. `fences.ts` handles formulas in fences. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { contextOf } from './context.ts'
import { escapeHtml, pushHtml } from './html.ts'
import { renderTex } from './render-tex.ts'

const DOLLAR = 0x24
// Up to the next unescaped dollar. `$$_$$` is a face.
const WRITTEN = /\$\$(?=[^\n_$])((?:\\\$|[^$\n\\]|\\(?!\$))+)\$\$(?![$\w])/y

export function maths(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'maths', readFormulaAt)
}

function readFormulaAt(state: StateInline, isDryRun: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== DOLLAR || src.charCodeAt(pos + 1) !== DOLLAR) return false
  if (pos > 0 && /[$\w]/.test(src[pos - 1] as string)) return false
  WRITTEN.lastIndex = pos
  const tex = WRITTEN.exec(src)?.[1]
  const end = WRITTEN.lastIndex
  if (tex === undefined || tex.trim() === '' || end > state.posMax) return false
  if (!isDryRun) {
    const html = renderTex(contextOf(state.env), tex, false)
    pushHtml(state, html ?? `<span class="tex-error">${escapeHtml(src.slice(pos, end))}</span>`)
  }
  state.pos = end
  return true
}
