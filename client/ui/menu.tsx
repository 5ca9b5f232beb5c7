/** A button that opens a menu. The entries and the menu itself are not part of the first load. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { lazy } from './lazy.tsx'
import type { MenuItem } from './open-menu.tsx'
import { showError } from './toasts.tsx'

const OpenMenu = lazy(async () => (await import('./open-menu.tsx')).OpenMenu, { isQuiet: true })

interface MenuProps {
  /** Names the button for screen readers, and as its title. */
  readonly label: string
  readonly children: ComponentChildren
  /** Asked when the menu opens. */
  readonly items: () => readonly MenuItem[] | Promise<readonly MenuItem[]>
  readonly class?: string
  /** Whether the menu stands above all, also where a list would cut it off. */
  readonly isFloating?: boolean
}

export function Menu({ label, children, items, class: className = 'ghost', isFloating = false }: MenuProps) {
  const shown = useSignal<readonly MenuItem[] | undefined>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const toggle = async () => {
    try {
      shown.value = shown.value ? undefined : await items()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <span class="menu-place">
      <button
        ref={button}
        type="button"
        class={className}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={shown.value !== undefined}
        onClick={() => void toggle()}
      >
        {children}
      </button>
      {shown.value && (
        <OpenMenu
          items={shown.value}
          isFloating={isFloating}
          onClose={() => {
            shown.value = undefined
            button.current?.focus()
          }}
        />
      )}
    </span>
  )
}
