/** HTML of the blocks that this dialect adds or writes differently: code, formulas and spoilers. */

import type { MarkdownIt, Token } from 'markdown-it'
import { contextOf, type RenderContext } from './context.ts'
import { findCodeLanguage, highlightCode, isHighlightable } from './highlight-code.ts'
import { escapeHtml } from './html.ts'
import { renderTex } from './render-tex.ts'

export function blockHtml(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer
  rules.fence = (tokens, index, _options, env) => {
    const { content, info } = tokens[index] as Token
    const context = contextOf(env)
    return renderCode(context, content, info === '' ? context.snapshot.defaultCodeLanguage : info)
  }
  rules.code_block = (tokens, index, _options, env) =>
    renderCode(contextOf(env), (tokens[index] as Token).content, '')
  rules.math_block = (tokens, index, _options, env) =>
    renderFormulas(contextOf(env), (tokens[index] as Token).content)
  rules.spoiler_open = () => '<div class="spoiler-block"><div class="spoiler-header">\n'
  rules.spoiler_content = () => '</div><div class="spoiler-content" aria-hidden="true">\n'
  rules.spoiler_close = () => '</div></div>\n'
}

function renderCode(context: RenderContext, written: string, language: string): string {
  const code = trimLines(written)
  const found = language === '' ? undefined : findCodeLanguage(language)
  const shown = found?.displayName ?? language
  const attribute = shown === '' ? '' : ` data-code-language="${escapeHtml(shown)}"`
  const isHighlighted =
    found !== undefined && code.length <= context.highlightedLengthLeft && isHighlightable(code)
  if (isHighlighted) context.highlightedLengthLeft -= code.length
  const html = isHighlighted ? highlightCode(code, found) : escapeHtml(code)
  // The empty span stops browsers from dropping the first line break of the code.
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`
}

/** Removes empty lines before and after code, and white space at line ends. */
function trimLines(code: string): string {
  const lines = code.split('\n').map((line) => line.trimEnd())
  const start = lines.findIndex((line) => line !== '')
  const end = lines.findLastIndex((line) => line !== '') + 1
  return start < 0 ? '' : `${lines.slice(start, end).join('\n')}\n`
}

/** Separate formulas, split at empty lines. */
function renderFormulas(context: RenderContext, written: string): string {
  return written
    .trim()
    .split('\n\n')
    .map((tex) => {
      const html = renderTex(context, tex, true) ?? `<span class="tex-error">${escapeHtml(tex)}</span>`
      return `<p>${html}</p>\n`
    })
    .join('')
}
