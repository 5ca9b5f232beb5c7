/** Changes of a typed text by the toolbar: pure, from one selection to the next. */

/** A text with its selection. */
export interface Selected {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** One replacement, and the selection after it. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly start: number
  readonly end: number
}

export type EditName = 'bold' | 'italic' | 'code' | 'link' | 'bullets' | 'numbers' | 'quote' | 'spoiler'

export function editText(name: EditName, selected: Selected): Edit {
  switch (name) {
    case 'bold':
      return wrap(selected, '**')
    case 'italic':
      return wrap(selected, '*')
    case 'code':
      return selectedText(selected).includes('\n') ? fence(selected, '') : wrap(selected, '`')
    case 'link':
      return link(selected)
    case 'bullets':
      return prefixLines(selected, () => '- ')
    case 'numbers':
      return prefixLines(selected, (index) => `${index + 1}. `)
    case 'quote':
      return prefixLines(selected, () => '> ')
    case 'spoiler':
      return fence(selected, 'spoiler ')
  }
}

function selectedText({ text, start, end }: Selected): string {
  return text.slice(start, end)
}

/** Puts marks around the selection, or removes them if they are there. */
function wrap(selected: Selected, mark: string): Edit {
  const { text, start, end } = selected
  const inner = selectedText(selected)
  const { length } = mark
  if (hasMark(text, start - length, mark) && hasMark(text, end, mark))
    return { from: start - length, to: end + length, insert: inner, start: start - length, end: end - length }
  return { from: start, to: end, insert: mark + inner + mark, start: start + length, end: end + length }
}

/** Whether a mark stands here by itself: the `*` of `**` is none. */
function hasMark(text: string, at: number, mark: string): boolean {
  if (at < 0 || text.slice(at, at + mark.length) !== mark) return false
  const sign = mark[0]
  return mark.length > 1 || (text[at - 1] !== sign && text[at + 1] !== sign)
}

/** An address becomes the target of a link, other words its text. */
function link(selected: Selected): Edit {
  const { start, end } = selected
  const inner = selectedText(selected)
  if (/^https?:\/\/\S+$/.test(inner))
    return { from: start, to: end, insert: `[](${inner})`, start: start + 1, end: start + 1 }
  const at = start + inner.length + 3
  return { from: start, to: end, insert: `[${inner}]()`, start: at, end: at }
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function prefixLines(selected: Selected, prefixOf: (index: number) => string): Edit {
  const from = lineStart(selected.text, selected.start)
  const lines = selected.text.slice(from, selected.end).split('\n')
  const isThere = lines.every((line, index) => line.startsWith(prefixOf(index)))
  const insert = lines
    .map((line, index) => (isThere ? line.slice(prefixOf(index).length) : prefixOf(index) + line))
    .join('\n')
  const end = from + insert.length
  return { from, to: selected.end, insert, start: lines.length > 1 ? from : end, end }
}

/** A block between fences that are longer than those in the text. */
function fence(selected: Selected, kind: string): Edit {
  const { text, start, end } = selected
  const inner = selectedText(selected)
  const longest = Math.max(2, ...[...inner.matchAll(/`+/g)].map(([marks]) => marks.length))
  const marks = '`'.repeat(longest + 1)
  const before = start > 0 && text[start - 1] !== '\n' ? '\n' : ''
  const head = `${before}${marks}${kind}\n`
  const insert = `${head}${inner}\n${marks}\n`
  const at = start + head.length
  return { from: start, to: end, insert, start: at, end: at + inner.length }
}
