/** Inline code: everything between two equally long runs of backticks, spaces included. */

import { derived } from '../../../server/domain/messages/derived.ts'
import type { MarkdownIt, StateInline } from 'markdown-it'

const BACKTICK = 0x60
const BACKSLASH = 0x5c

export function codeSpans(markdown: MarkdownIt): void {
  markdown.inline.ruler.at('backticks', readCodeAt)
}

function readCodeAt(state: StateInline, isDryRun: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== BACKTICK) return false
  const length = runLength(src, pos)
  const close = isEscaped(src, pos) ? undefined : findClose(state, pos + length, length)
  if (close === undefined) {
    if (!isDryRun) state.pending += src.slice(pos, pos + length)
    state.pos = pos + length
    return true
  }
  if (!isDryRun) state.push('code_inline', 'code', 0).content = src.slice(pos + length, close)
  state.pos = close + length
  return true
}

/** A backslash stops a backtick from opening code, and stays in the text. */
function isEscaped(text: string, position: number): boolean {
  let start = position
  while (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) start--
  return (position - start) % 2 === 1
}

/** The start of the next run of this length, or undefined. */
function findClose(state: StateInline, from: number, length: number): number | undefined {
  const starts = runsOf(state).get(length) ?? []
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) < from) low = middle + 1
    else high = middle
  }
  const close = starts[low]
  return close !== undefined && close + length <= state.posMax ? close : undefined
}

/** The positions of the runs of each length in the current text: one scan, however many runs open. */
const runsOf = derived(({ src }: StateInline): ReadonlyMap<number, readonly number[]> => {
  const runs = new Map<number, number[]>()
  for (let pos = src.indexOf('`'); pos >= 0; pos = src.indexOf('`', pos)) {
    const length = runLength(src, pos)
    const starts = runs.get(length)
    if (starts) starts.push(pos)
    else runs.set(length, [pos])
    pos += length
  }
  return runs
})

function runLength(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) === BACKTICK) end++
  return end - start
}
