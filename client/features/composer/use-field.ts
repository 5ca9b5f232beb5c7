/** Puts the focus into the field of a message, offers it to the rest of the page, and changes its text. */

import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { TypingNotifier } from '../../app/typing-notifier.ts'
import { type EditName, editText } from '../../store/composing/edit-text.ts'
import { splitNear } from '../../store/narrows/narrow.ts'
import { KeyboardMove } from '../../ui/keyboard-move.ts'
import { useHandle } from '../../ui/use-handle.ts'
import { applyEdit, insertText } from './text-area.ts'

export function useField(
  area: RefObject<HTMLTextAreaElement | null>,
  form: RefObject<HTMLFormElement | null>,
) {
  const app = useApp()
  useEffect(() => {
    // The code of the composer may come late, when a person already does something else; a link leads to its message.
    const isTaken = document.activeElement?.closest('article, dialog, input, textarea, [role="menu"]') != null
    const route = app.router.route.peek()
    const isAtMessage = route.view === 'narrow' && splitNear(route.narrow).nearId !== undefined
    if (!isTaken && !isAtMessage && !app.part(KeyboardMove).isShown && matchMedia('(pointer: fine)').matches)
      area.current?.focus({ preventScroll: true })
    return () => app.part(TypingNotifier).stop()
  }, [])

  useHandle('composer', () => ({
    focus: () => area.current?.focus(),
    has: (element) => form.current?.contains(element) === true,
    insert: (words) => insert(words),
  }))

  const edit = (name: EditName) => {
    const { current } = area
    if (!current) return
    const { value: text, selectionStart: start, selectionEnd: end } = current
    applyEdit(current, editText(name, { text, start, end }))
  }
  const insert = (words: string) => {
    if (area.current) insertText(area.current, words)
  }
  return { edit, insert }
}
