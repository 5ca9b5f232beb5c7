/**
 * The emoji picker: a dialog with a search, at once, and the emoji as soon as they and their code are loaded. Keys that
 * are typed before wait in the search field, an Enter among them.
 */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { EmojiTable } from '../../app/emoji-table.ts'
import type { Emoji } from '../../store/emoji/emoji.ts'
import { lazy } from '../../ui/lazy.tsx'
import type { Choosing } from './picker/emoji-results.tsx'
import { t } from '../../texts/texts.ts'

const GAP_PX = 6
/** Below this width of the window, the styles place it at the lower edge. */
const PHONE_PX = 640

/** Most pages are read without it. */
const EmojiResults = lazy(async () => (await import('./picker/emoji-results.tsx')).EmojiResults)

interface EmojiPickerProps {
  /** The control that opened it; the picker stands beside it, and the focus goes back to it. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly hasTones?: boolean
  readonly onChoose: (emoji: Emoji) => void
  readonly onClose: () => void
}

export function EmojiPicker({ anchor, hasTones = false, onChoose, onClose }: EmojiPickerProps) {
  const app = useApp()
  const dialog = useRef<HTMLDialogElement>(null)
  const { choosing, field } = useChoosing(dialog)
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    const place = () => opened && placeBeside(opened, anchor.current)
    place()
    // The control may move as it is pressed, such as in a composer at rest.
    requestAnimationFrame(place)
    // A keyboard on the screen would cover the emoji.
    if (matchMedia('(pointer: coarse)').matches) opened?.focus()
    // The browser gives the focus back to the control.
    return () => opened?.close()
  }, [])
  const choose = (emoji: Emoji) => {
    app.part(EmojiTable).noteUse(emoji.names[0])
    // The page takes the focus again before the text does.
    dialog.current?.close()
    onClose()
    onChoose(emoji)
  }
  return (
    <dialog
      ref={dialog}
      class="emoji-picker"
      tabIndex={-1}
      aria-label={t('Emoji')}
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      // Shortcuts of the page do not concern the picker.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <input type="text" placeholder={t('Search emoji')} autocomplete="off" {...field} />
      <EmojiResults {...choosing} hasTones={hasTones} onChoose={choose} />
    </dialog>
  )
}

/** The search and the current emoji, and the field for them. */
function useChoosing(dialog: RefObject<HTMLDialogElement | null>) {
  const id = useId()
  const search = useSignal('')
  const current = useSignal(0)
  const isEntered = useSignal(false)
  const activeId = useSignal<string | undefined>(undefined)
  const move = useRef<(key: string) => number | undefined>(() => undefined)
  const choosing: Choosing = { id, search, current, isEntered, activeId, move }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      isEntered.value = true
      return
    }
    const next = move.current?.(event.key)
    if (next === undefined) return
    // In a text, these keys move the cursor as long as there is something to move over.
    if (search.value !== '' && (event.key === 'ArrowLeft' || event.key === 'Home' || event.key === 'End'))
      return
    event.preventDefault()
    current.value = next
    dialog.current?.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const field = {
    role: 'combobox',
    'aria-label': t('Search emoji'),
    'aria-expanded': 'true',
    'aria-controls': id,
    'aria-activedescendant': activeId.value,
    value: search.value,
    onInput: (event: preact.TargetedInputEvent<HTMLInputElement>) => {
      search.value = event.currentTarget.value
      current.value = 0
      isEntered.value = false
    },
    onKeyDown: onKey,
  } as const
  return { choosing, field }
}

/** Places a dialog beside the control that opened it, inside the window. */
function placeBeside(dialog: HTMLElement, anchor: HTMLElement | null): void {
  if (!anchor || innerWidth <= PHONE_PX) return
  const { width, height } = dialog.getBoundingClientRect()
  const { top, bottom, left, right } = anchor.getBoundingClientRect()
  const above = top - GAP_PX - height
  const y = above >= GAP_PX ? above : Math.min(bottom + GAP_PX, innerHeight - height - GAP_PX)
  const fits = left + width + GAP_PX <= innerWidth
  const x = fits ? left : Math.max(GAP_PX, right - width)
  dialog.style.margin = '0'
  dialog.style.inset = `${Math.max(GAP_PX, y)}px auto auto ${x}px`
}
