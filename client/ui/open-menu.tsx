/** An open menu; arrows move in it, Escape closes it. */

import { useLayoutEffect, useId, useRef } from 'preact/hooks'
import { keyNames } from './keys.ts'

/** An entry of a menu. */
export interface MenuItem {
  readonly text: string
  readonly onChoose: () => void
  /** Whether it destroys something. */
  readonly isDanger?: boolean
  /** For entries that are on or off. */
  readonly isChecked?: boolean
  /** Its shortcut, if it has one. */
  readonly keys?: string
}

/** Pixels between a menu, its button, and the edges of the window. */
const GAP_PX = 4

/** Places a menu in the window; on a phone the styles make it a sheet at the bottom. */
function float(menu: HTMLElement, anchor: HTMLElement): void {
  const { top, bottom, right } = anchor.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = bottom + GAP_PX + height <= innerHeight - GAP_PX
  const y = below ? bottom + GAP_PX : Math.max(GAP_PX, top - GAP_PX - height)
  menu.style.setProperty('--menu-y', `${Math.min(y, Math.max(GAP_PX, innerHeight - height - GAP_PX))}px`)
  menu.style.setProperty('--menu-x', `${Math.max(GAP_PX, right - width)}px`)
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface OpenMenuProps {
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
  /** Whether it stands above all, at its button, also where a list would cut it off. */
  readonly isFloating?: boolean
}

/** The menu itself, inside a `menu-place` with its button. */
export function OpenMenu({ items, onClose, isFloating = false }: OpenMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const place = menu.current
    const anchor = place?.parentElement
    if (place && anchor && isFloating) float(place, anchor)
    // It opens upwards where there is no room below.
    else if (place && place.getBoundingClientRect().bottom > innerHeight) place.classList.add('above')
    place?.querySelector('button')?.focus()
    const close = (event: MouseEvent) => {
      if (!place?.parentElement?.contains(event.target as Node)) onClose()
    }
    // Also when the focus has left the menu; nothing below it closes with the same key.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.stopPropagation()
      event.preventDefault()
      onClose()
    }
    document.addEventListener('mousedown', close)
    document.addEventListener('keydown', closeByKey, true)
    return () => {
      document.removeEventListener('mousedown', close)
      document.removeEventListener('keydown', closeByKey, true)
    }
  }, [])
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])]
    const step = STEPS[event.key]
    if (event.key === 'Tab') onClose()
    else if (step !== undefined) {
      const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
      buttons.at((index + step) % buttons.length)?.focus()
    } else return
    event.stopPropagation()
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    <div class={isFloating ? 'menu floating' : 'menu'} role="menu" ref={menu} id={id} onKeyDown={onKey}>
      {items.map(({ text, onChoose, isDanger, isChecked, keys }) => (
        <button
          key={text}
          type="button"
          role={isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={isChecked}
          class={isDanger ? 'danger' : ''}
          tabIndex={-1}
          onClick={() => {
            onClose()
            onChoose()
          }}
        >
          {text}
          {keys !== undefined && <kbd aria-hidden="true">{keyNames(keys).join(' ')}</kbd>}
        </button>
      ))}
    </div>
  )
}
