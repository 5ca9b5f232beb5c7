/** Renders formulas to HTML with KaTeX. */

import { lazy } from '../../../server/domain/messages/derived.ts'
import { createRequire } from 'node:module'
import type Katex from 'katex'
import type { RenderContext } from './context.ts'

/** Characters of one formula; longer ones are shown as written. */
const FORMULA_LENGTH_MAX = 1_500
/** Characters of one formula that defines macros: the limit bounds the length of each expansion. */
const MACROS_LENGTH_MAX = 300
const DEFINES = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet)(?![a-z])/i
/** Open braces and other groups: KaTeX recurses as deep as they nest. */
const DEPTH_MAX = 50
/** Expansions of macros in one formula, which bounds macros that call macros. */
const EXPANSIONS_MAX = 200
/** Ems: a formula must not cover the text around it. */
const SIZE_EMS_MAX = 50

/** Loaded with the first formula: it is large, and most threads and tools never need it. */
const katex = lazy(() => createRequire(import.meta.url)('katex') as typeof Katex)

/** The HTML of a formula, or undefined if it is invalid or too long. */
export function renderTex(context: RenderContext, tex: string, isDisplay: boolean): string | undefined {
  if (tex.length > FORMULA_LENGTH_MAX || tex.length > context.texLengthLeft) return undefined
  if (tex.length > MACROS_LENGTH_MAX && DEFINES.test(tex)) return undefined
  if (tex.trim() === '' || depthOf(tex) > DEPTH_MAX) return undefined
  context.texLengthLeft -= tex.length
  // It warns of characters without metrics: users' texts do not belong in the log.
  const { warn } = console
  console.warn = () => {}
  try {
    const html = katex().renderToString(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false, // No links, images or attributes from users.
      strict: 'ignore',
      maxExpand: EXPANSIONS_MAX,
      maxSize: SIZE_EMS_MAX,
    })
    if (html.length > context.texHtmlLengthLeft) return undefined
    context.texHtmlLengthLeft -= html.length
    return html
  } catch {
    return undefined // An invalid formula is shown as written.
  } finally {
    console.warn = warn
  }
}

/** The maximum number of open groups, unclosed ones included. */
function depthOf(tex: string): number {
  let depth = 0
  let deepest = 0
  for (const [opener] of tex.matchAll(/\\(?:begin|left|end|right)\b|[{}^_]/g)) {
    if (opener === '}' || opener === '\\end' || opener === '\\right') depth--
    else if (opener !== '^' && opener !== '_') deepest = Math.max(deepest, ++depth)
  }
  return deepest
}
