/** Emphasis as this dialect has it: by stars only, and within one line. */

import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it'

export function emphasis(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'underscore', keepUnderscores)
  const [balance] = markdown.inline.ruler2.getRules('')
  if (!balance) throw new Error('the parser balances no delimiters')
  markdown.inline.ruler2.at('balance_pairs', (state) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters)]) {
      if (delimiters && delimiters.length > 0) balanceLines(state, delimiters, balance)
    }
  })
}

function keepUnderscores(state: StateInline, isDryRun: boolean): boolean {
  let end = state.pos
  while (end < state.posMax && state.src.charCodeAt(end) === 0x5f /* _ */) end++
  if (end === state.pos) return false
  if (!isDryRun) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** Balances the stars of each line by themselves; they point at each other by their places in the whole list. */
function balanceLines(
  state: StateInline,
  delimiters: Delimiter[],
  balance: (state: StateInline) => void,
): void {
  let start = 0
  let token = (delimiters[0] as Delimiter).token
  for (let index = 0; index <= delimiters.length; index++) {
    const next = delimiters[index]
    let isNewLine = next === undefined
    for (; next && token < next.token; token++) isNewLine ||= isBreak(state.tokens[token])
    if (!isNewLine || index === start) continue
    const line = delimiters.slice(start, index)
    balance({ delimiters: line, tokens_meta: [] as unknown[] } as StateInline)
    for (const delimiter of line) if (delimiter.end >= 0) delimiter.end += start
    start = index
  }
}

function isBreak(token: Token | undefined): boolean {
  return token?.type === 'softbreak' || token?.type === 'hardbreak'
}
