/** This dialect's emphasis, only by stars and only within one line, and struck out text. */

import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it'

const TILDE = 0x7e
// Only up to the next tilde, so that many openers cost no more than one.
const STRUCK = /~~([^~\n]+)~~(?!~)/y

export function emphasis(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'underscore', keepUnderscores)
  const [balance] = markdown.inline.ruler2.getRules('')
  if (!balance) throw new Error('the parser balances no delimiters')
  markdown.inline.ruler2.at('balance_pairs', (state) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters)]) {
      if (delimiters && delimiters.length > 0) balanceLines(state, delimiters, balance)
    }
  })
  markdown.inline.ruler2.at('emphasis', (state) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters)]) {
      if (delimiters) markUp(state, delimiters)
    }
  })
}

/** Converts balanced stars into tags. */
function markUp(state: StateInline, delimiters: readonly Delimiter[]): void {
  let index = delimiters.length - 1
  while (index >= 0) {
    const count = countNested(delimiters, index)
    // Of three pairs the inner one is plain emphasis, as clients expect.
    const plainCount = count % 2
    if (plainCount === 1) tagPair(state, delimiters, index, 'em')
    for (let depth = plainCount; depth < count; depth += 2) {
      tagPair(state, delimiters, index - depth, 'strong')
      tagPair(state, delimiters, index - depth - 1, undefined)
    }
    index -= count || 1
  }
}

/** The number of directly nested pairs of stars; the pair that opens at an index is the innermost. */
function countNested(delimiters: readonly Delimiter[], index: number): number {
  const { end, token } = delimiters[index] as Delimiter
  if (end < 0) return 0
  const endToken = delimiters[end]?.token as number
  let count = 1
  for (;;) {
    const outer = delimiters[index - count]
    if (outer?.end !== end + count || outer.token !== token - count) return count
    if (delimiters[outer.end]?.token !== endToken + count) return count
    count++
  }
}

/** Writes the tags of the pair that opens at an index; without a name, the pair is the other half of the next. */
function tagPair(
  { tokens }: StateInline,
  delimiters: readonly Delimiter[],
  index: number,
  name: 'em' | 'strong' | undefined,
): void {
  const open = delimiters[index] as Delimiter
  const ends = [
    { token: tokens[open.token] as Token, type: `${name}_open`, nesting: 1 },
    { token: tokens[delimiters[open.end]?.token as number] as Token, type: `${name}_close`, nesting: -1 },
  ] as const
  for (const { token, type, nesting } of ends) {
    token.content = ''
    if (name) Object.assign(token, { type, nesting, tag: name })
  }
}

function keepUnderscores(state: StateInline, isDryRun: boolean): boolean {
  let end = state.pos
  while (end < state.posMax && state.src.charCodeAt(end) === 0x5f /* _ */) end++
  if (end === state.pos) return false
  if (!isDryRun) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** Balances the stars of each line separately; they refer to each other by their index in the whole list. */
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

/** `~~struck out~~`, which may begin and end with spaces, within one line. */
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
