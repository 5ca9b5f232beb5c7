/**
 * The emoji picker: a dialog with a search, at once, and the emoji as soon as they are loaded. Keys that are typed before
 * wait in the search field, an Enter among them.
 */

import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import type { Emoji } from '../../store/emoji/emoji.ts'
import { EmojiResults } from './emoji-results.tsx'
import { placeBeside } from './place-beside.ts'

interface EmojiPickerProps {
  /** The control that opened it; the picker stands beside it, and the focus goes back to it. */
  readonly anchor: HTMLElement | null
  readonly onChoose: (emoji: Emoji) => void
  readonly onClose: () => void
}

export function EmojiPicker({ anchor, onChoose, onClose }: EmojiPickerProps) {
  const app = useApp()
  const search = useSignal('')
  const current = useSignal(0)
  const isEntered = useSignal(false)
  const activeId = useSignal<string | undefined>(undefined)
  const dialog = useRef<HTMLDialogElement>(null)
  /** The place after a key in the grid; undefined if the key does not move. */
  const move = useRef<(key: string) => number | undefined>(() => undefined)
  const gridId = useId()
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    if (opened) placeBeside(opened, anchor)
    // The browser gives the focus back to the control.
    return () => opened?.close()
  }, [])

  const choose = (emoji: Emoji) => {
    app.emoji.noteUse(emoji.names[0])
    // The page takes the focus again before the text does.
    dialog.current?.close()
    onClose()
    onChoose(emoji)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      isEntered.value = true
      return
    }
    const next = move.current(event.key)
    if (next === undefined) return
    // In a text, these keys move the cursor as long as there is something to move over.
    if (search.value !== '' && (event.key === 'ArrowLeft' || event.key === 'Home' || event.key === 'End'))
      return
    event.preventDefault()
    current.value = next
    dialog.current?.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <dialog
      ref={dialog}
      class="emoji-picker"
      aria-label="Emoji"
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      // Shortcuts of the page do not concern the picker.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search emoji"
        aria-expanded="true"
        aria-controls={gridId}
        aria-activedescendant={activeId.value}
        placeholder="Search emoji"
        autocomplete="off"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value
          current.value = 0
          isEntered.value = false
        }}
        onKeyDown={onKey}
      />
      <EmojiResults
        id={gridId}
        search={search}
        current={current}
        isEntered={isEntered}
        activeId={activeId}
        move={move}
        onChoose={choose}
      />
    </dialog>
  )
}
