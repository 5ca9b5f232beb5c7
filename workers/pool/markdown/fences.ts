/** Fenced blocks: code, formulas, quotes and spoilers. Quotes and spoilers contain blocks, fenced ones included. */

import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Columns of indentation from which a line is code. */
const CODE_INDENT = 4
/** Characters: no language has a longer name. */
const LANGUAGE_LENGTH_MAX = 50
const FENCE = /^(?:`{3,}|~{3,})/

export function fences(markdown: MarkdownIt): void {
  markdown.block.ruler.at('fence', readFence, { alt: ['paragraph', 'blockquote', 'list'] })
}

/** The opening line of a fenced block. */
interface Fence {
  /** Such as three backticks; exactly the same mark closes the block. */
  readonly mark: string
  /** The first word, as written. */
  readonly language: string
  /** The text after it: a spoiler's header. */
  readonly header: string
}

function readFence(state: StateBlock, startLine: number, endLine: number, isDryRun: boolean): boolean {
  const fence = readOpener(state, startLine)
  if (!fence) return false
  if (isDryRun) return true
  const end = findEnd(state, fence, startLine + 1, endLine)
  const kind = kindOf(fence)
  if (kind === 'quote') pushQuote(state, startLine + 1, end)
  else if (kind === 'spoiler') pushSpoiler(state, fence.header, startLine + 1, end)
  else {
    const token = state.push(kind === 'math' ? 'math_block' : 'fence', '', 0)
    token.info = fence.language
    token.content = state.getLines(startLine + 1, end, state.sCount[startLine] as number, true)
  }
  // An unclosed block continues to the end of its container.
  state.line = end < endLine && isInside(state, end) ? end + 1 : end
  return true
}

type Kind = 'code' | 'math' | 'quote' | 'spoiler'

function kindOf({ language }: Fence): Kind {
  return language === 'quote' || language === 'spoiler' || language === 'math' ? language : 'code'
}

function pushQuote(state: StateBlock, start: number, end: number): void {
  state.push('blockquote_open', 'blockquote', 1)
  readBlocks(state, start, end, 'blockquote')
  state.push('blockquote_close', 'blockquote', -1)
}

function pushSpoiler(state: StateBlock, header: string, start: number, end: number): void {
  state.push('spoiler_open', '', 1)
  if (header !== '') {
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = header
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.push('spoiler_content', '', 0)
  readBlocks(state, start, end, 'spoiler')
  state.push('spoiler_close', '', -1)
}

function readBlocks(state: StateBlock, start: number, end: number, parentType: string): void {
  const { lineMax, parentType: outerType, tight } = state
  state.lineMax = end
  state.parentType = parentType
  state.md.block.tokenize(state, start, end)
  state.lineMax = lineMax
  state.parentType = outerType
  state.tight = tight
}

/** The line of the closing fence, or the end of the block without one. */
function findEnd(state: StateBlock, fence: Fence, start: number, endLine: number): number {
  const open = [fence]
  let line = start
  for (; line < endLine && isInside(state, line); line++) {
    if ((state.sCount[line] as number) - state.blkIndent >= CODE_INDENT) continue
    const current = open.at(-1) as Fence
    const text = textOf(state, line)
    if (text === current.mark) {
      open.pop()
      if (open.length === 0) return line
    } else if (holdsBlocks(current)) {
      const inner = readOpener(state, line)
      if (inner) open.push(inner)
    }
  }
  return line
}

function holdsBlocks(fence: Fence): boolean {
  const kind = kindOf(fence)
  return kind === 'quote' || kind === 'spoiler'
}

/** A fence, a word with or without braces, and further words, without any fence mark. */
function readOpener(state: StateBlock, line: number): Fence | undefined {
  if ((state.sCount[line] as number) - state.blkIndent >= CODE_INDENT) return undefined
  const code = state.src.charCodeAt((state.bMarks[line] as number) + (state.tShift[line] as number))
  if (code !== 0x60 /* ` */ && code !== 0x7e /* ~ */) return undefined
  const text = textOf(state, line)
  const mark = FENCE.exec(text)?.[0]
  if (mark === undefined) return undefined
  const rest = text.slice(mark.length).trim()
  if (rest.includes('`') || rest.includes('~')) return undefined
  const space = rest.search(/\s/)
  const word = space < 0 ? rest : rest.slice(0, space)
  const language = word
    .replace(/^\{?\.?/, '')
    .replace(/\}$/, '')
    .slice(0, LANGUAGE_LENGTH_MAX)
  return { mark, language, header: space < 0 ? '' : rest.slice(space).trim() }
}

function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] as number) + (state.tShift[line] as number)
  return state.src.slice(start, state.eMarks[line]).trimEnd()
}

/** Whether a line belongs to the block's container, such as a list item. */
function isInside(state: StateBlock, line: number): boolean {
  return state.isEmpty(line) || (state.sCount[line] as number) >= state.blkIndent
}
