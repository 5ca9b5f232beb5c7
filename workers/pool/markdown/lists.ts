/**
 * Lists as this dialect nests them: content that is indented two spaces more than an item's marker belongs to the item,
 * whatever the marker's width. Stars, pluses and dashes form one list.
 */

import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Minimum indentation of an item's content, in spaces. */
const INDENT = 2
/** Columns of a marker's indentation from which a line is code. */
const CODE_INDENT = 4

export function lists(markdown: MarkdownIt): void {
  markdown.block.ruler.at('list', readList, { alt: ['paragraph', 'blockquote'] })
}

interface Marker {
  /** Undefined for a bullet. */
  readonly number: number | undefined
  /** The start of the item's text. */
  readonly contentStart: number
}

function readList(state: StateBlock, startLine: number, endLine: number, isDryRun: boolean): boolean {
  const first = readMarker(state, startLine)
  if (!first) return false
  if (isDryRun) return state.parentType !== 'paragraph' || mayEndParagraph(state, startLine, first)
  const isOrdered = first.number !== undefined
  const type = isOrdered ? 'ordered_list' : 'bullet_list'
  const tag = isOrdered ? 'ol' : 'ul'
  const open = state.push(`${type}_open`, tag, 1)
  if (isOrdered && first.number !== 1) open.attrs = [['start', first.number as number]]
  const firstItem = state.tokens.length
  const { parentType, tight } = state
  state.parentType = 'list'
  let isTight = true
  let marker: Marker | undefined = first
  let line = startLine
  while (marker && (marker.number !== undefined) === isOrdered) {
    const isItemTight = readItem(state, line, endLine, marker)
    line = state.line
    const isLast =
      line >= endLine || (state.sCount[line] as number) < state.blkIndent || isOther(state, line, endLine)
    marker = isLast ? undefined : readMarker(state, line)
    const endsEmpty = line > startLine && state.isEmpty(line - 1)
    const isFollowed = marker !== undefined && (marker.number !== undefined) === isOrdered
    if (!isItemTight || (endsEmpty && isFollowed)) isTight = false
  }
  state.push(`${type}_close`, tag, -1)
  state.parentType = parentType
  state.tight = tight
  if (isTight) hideParagraphs(state, firstItem)
  return true
}

/** Reads one item; returns whether it contains no empty line between its parts. */
function readItem(state: StateBlock, line: number, endLine: number, { contentStart }: Marker): boolean {
  const { blkIndent, listIndent, tight } = state
  const start = state.bMarks[line] as number
  const indent = state.sCount[line] as number
  const shift = state.tShift[line] as number
  state.push('list_item_open', 'li', 1)
  state.listIndent = blkIndent
  state.blkIndent = indent + INDENT
  state.tight = true
  // The first line starts where the others do.
  state.bMarks[line] = contentStart
  state.tShift[line] = 0
  state.sCount[line] = state.blkIndent
  state.md.block.tokenize(state, line, endLine)
  const isTight = state.tight
  state.blkIndent = blkIndent
  state.listIndent = listIndent
  state.tight = tight
  state.bMarks[line] = start
  state.tShift[line] = shift
  state.sCount[line] = indent
  state.push('list_item_close', 'li', -1)
  return isTight
}

/** A sentence may break before a year and its full stop: only small numbers start a list within a paragraph. */
function mayEndParagraph(state: StateBlock, line: number, { number }: Marker): boolean {
  const isOfOuterList = (state.sCount[line] as number) < state.blkIndent
  return isOfOuterList || number === undefined || number <= 9
}

/** Whether another construct that ends a list starts here. */
function isOther(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules('list').some((rule) => rule(state, line, endLine, true))
}

/** The marker of an item that starts on a line: a bullet or a number with a dot, a space, and some text. */
function readMarker(state: StateBlock, line: number): Marker | undefined {
  if ((state.sCount[line] as number) - state.blkIndent >= CODE_INDENT) return undefined
  const { src } = state
  const start = (state.bMarks[line] as number) + (state.tShift[line] as number)
  const max = state.eMarks[line] as number
  let position = start
  while (position < start + NUMBER_LENGTH_MAX && isDigit(src.charCodeAt(position))) position++
  const isOrdered = position > start
  if (isOrdered ? src.charCodeAt(position) !== 0x2e /* . */ : !'*+-'.includes(src[start] ?? ' '))
    return undefined
  position++
  const contentStart = state.skipSpaces(position)
  if (contentStart === position || contentStart >= max) return undefined
  return { number: isOrdered ? Number(src.slice(start, position - 1)) : undefined, contentStart }
}
/** Digits: browsers count no further. */
const NUMBER_LENGTH_MAX = 9

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Paragraphs of a list without empty lines have no tags. */
function hideParagraphs(state: StateBlock, start: number): void {
  const level = state.level + 2
  for (let index = start; index < state.tokens.length; index++) {
    const token = state.tokens[index]
    if (token?.level !== level || !token.type.startsWith('paragraph_')) continue
    token.hidden = true
  }
}
