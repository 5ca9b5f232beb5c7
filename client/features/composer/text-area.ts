/** Changes of a text area that keep the cursor, and the browser's undo. */

import type { Edit } from '../../store/composing/edit-text.ts'

/** Replaces a part as if it was typed. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus()
  area.setSelectionRange(from, to)
  // The only way that leaves undo intact; browsers without it change the text directly.
  const isDone =
    insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert)
  if (!isDone) {
    area.setRangeText(insert, from, to, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  area.setSelectionRange(start, end)
}

/** Inserts a text at the cursor. */
export function insertText(area: HTMLTextAreaElement, insert: string): void {
  const { selectionStart: from, selectionEnd: to } = area
  applyEdit(area, { from, to, insert, start: from + insert.length, end: from + insert.length })
}

/** The space between the word before the cursor and what is inserted. */
export function gapBefore(area: HTMLTextAreaElement | null): string {
  return area && /\S$/.test(area.value.slice(0, area.selectionStart)) ? ' ' : ''
}

/** Shows a text that changed elsewhere: the cursor stays at its words. */
export function showText(area: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd } = area
  if (value === text) return
  let same = 0
  while (same < value.length && value[same] === text[same]) same++
  const shift = text.length - value.length
  // In an empty field, such as before its draft is there, one goes on at the end.
  const moved = (at: number) => (at <= same && value !== '' ? at : Math.max(same, at + shift))
  area.value = text
  // A selection would take the focus in some browsers.
  if (document.activeElement === area) area.setSelectionRange(moved(selectionStart), moved(selectionEnd))
}
