/**
 * Block quotes with `>`: from the first such line to the next empty one. A line without the sign continues the quote,
 * even after a line with only the sign. Signs that are all without content are text.
 */

import { derived } from '../../../server/domain/messages/derived.ts'
import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Columns of indentation from which a line is code. */
const CODE_INDENT = 4
const SIGN = 0x3e // >
const SPACE = 0x20
const TAB = 0x09

export function blockQuotes(markdown: MarkdownIt): void {
  markdown.block.ruler.at('blockquote', readQuote, { alt: ['paragraph', 'blockquote', 'list'] })
}

function readQuote(state: StateBlock, startLine: number, endLine: number, isDryRun: boolean): boolean {
  if ((state.sCount[startLine] as number) - state.blkIndent >= CODE_INDENT) return false
  if (!beginsWithSign(state, startLine) || isEmptyRun(state, startLine, endLine)) return false
  if (isDryRun) return true
  const { blkIndent, parentType } = state
  const outside: LineMarks[] = []
  state.parentType = 'blockquote'
  let line = startLine
  let isAfterSignAlone = false
  for (; line < endLine && !state.isEmpty(line); line++) {
    const isSigned = goesOn(state, line)
    if (!isSigned && isTerminated(state, line, endLine)) break
    outside.push(marksOf(state, line))
    if (isSigned) isAfterSignAlone = stepBehindSign(state, line)
    else {
      // A negative value marks the rest of a paragraph.
      const indent = Math.max(0, (state.sCount[line] as number) - blkIndent)
      state.sCount[line] = isAfterSignAlone ? indent : -1
    }
  }
  state.blkIndent = 0
  state.push('blockquote_open', 'blockquote', 1)
  state.md.block.tokenize(state, startLine, line)
  state.push('blockquote_close', 'blockquote', -1)
  for (const [index, marks] of outside.entries()) restore(state, startLine + index, marks)
  state.blkIndent = blkIndent
  state.parentType = parentType
  return true
}

function beginsWithSign(state: StateBlock, line: number): boolean {
  return state.src.charCodeAt(textStart(state, line)) === SIGN
}

/** A sign left of the quote's container, such as a list item, starts another quote. */
function goesOn(state: StateBlock, line: number): boolean {
  return beginsWithSign(state, line) && (state.sCount[line] as number) >= state.blkIndent
}

function textStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] as number) + (state.tShift[line] as number)
}

/** Whether this sign and those of the next lines have no content. */
function isEmptyRun(state: StateBlock, startLine: number, endLine: number): boolean {
  const last = lastEmptyRun(state)
  if (last.level === state.level && last.start <= startLine && startLine < last.end) return true
  let line = startLine
  while (line < endLine && beginsWithSign(state, line)) {
    if (state.skipSpaces(textStart(state, line) + 1) < (state.eMarks[line] as number)) return false
    line++
  }
  if (line < endLine && !state.isEmpty(line) && !isTerminated(state, line, endLine)) return false
  Object.assign(last, { level: state.level, start: startLine, end: line })
  return true
}
/** The last run of signs without content: the parser asks about each of its lines as a possible end of a paragraph. */
const lastEmptyRun = derived<StateBlock, { level: number; start: number; end: number }>(() => ({
  level: -1,
  start: 0,
  end: 0,
}))

/** Whether another construct starts here, such as a list. */
function isTerminated(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true))
}

/** Moves the start of a line behind its sign and one space; returns whether nothing is left. */
function stepBehindSign(state: StateBlock, line: number): boolean {
  const { src } = state
  const max = state.eMarks[line] as number
  let position = textStart(state, line) + 1
  const next = src.charCodeAt(position)
  let column = (state.sCount[line] as number) + 1
  const base = state.bsCount[line] as number
  // A tab counts as the space after the sign, plus its remaining width.
  const isWideTab = next === TAB && (base + column) % 4 !== 3
  const hasSpace = next === SPACE || next === TAB
  if (hasSpace && !isWideTab) position++
  if (hasSpace && !isWideTab) column++
  const start = column
  state.bMarks[line] = position
  for (; position < max; position++) {
    const code = src.charCodeAt(position)
    if (code === TAB) column += 4 - ((column + base + (isWideTab ? 1 : 0)) % 4)
    else if (code === SPACE) column++
    else break
  }
  state.bsCount[line] = (state.sCount[line] as number) + 1 + (hasSpace ? 1 : 0)
  state.sCount[line] = column - start
  state.tShift[line] = position - (state.bMarks[line] as number)
  return position >= max
}

interface LineMarks {
  readonly bMark: number
  readonly tShift: number
  readonly sCount: number
  readonly bsCount: number
}

function marksOf(state: StateBlock, line: number): LineMarks {
  const at = (marks: readonly number[]) => marks[line] as number
  return {
    bMark: at(state.bMarks),
    tShift: at(state.tShift),
    sCount: at(state.sCount),
    bsCount: at(state.bsCount),
  }
}

function restore(state: StateBlock, line: number, { bMark, tShift, sCount, bsCount }: LineMarks): void {
  state.bMarks[line] = bMark
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  state.bsCount[line] = bsCount
}
