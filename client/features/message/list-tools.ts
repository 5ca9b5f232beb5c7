/** Listeners of a whole message list: which message has its tools, and clicks in rendered text. */

import type { App } from '../../app/app.ts'
import { showError } from '../../ui/toasts.tsx'
import { MessageParts } from './message-parts.ts'

/** A press of this time opens the menu, as elsewhere on phones. */
const LONG_PRESS_MS = 450
/** A finger that moves further scrolls. */
const MOVED_PX = 10

interface Press {
  readonly x: number
  readonly y: number
  readonly timer: ReturnType<typeof setTimeout>
}

export class ListTools {
  #press: Press | undefined
  readonly #app: App
  readonly #parts: MessageParts

  constructor(app: App) {
    this.#app = app
    this.#parts = app.part(MessageParts)
  }

  /** Props of the list's element. */
  readonly props = {
    onPointerOver: (event: PointerEvent) => {
      // While the keyboard is used, rows may move below a mouse that stands still.
      if (event.pointerType !== 'mouse' || !isByKeyboard()) this.#activate(event.target)
    },
    onPointerLeave: (event: PointerEvent) => {
      this.#endPress()
      if (event.pointerType === 'mouse' && !this.#parts.isHeld()) this.#parts.activeId.value = undefined
    },
    onFocusIn: (event: FocusEvent) => this.#activate(event.target),
    onPointerDown: (event: PointerEvent) => {
      const id = idAt(event.target)
      if (event.pointerType !== 'touch' || id === undefined || this.#parts.isHeld()) return
      const open = () => {
        this.#press = undefined
        this.#parts.activeId.value = id
        this.#parts.menuId.value = id
      }
      this.#press = { x: event.clientX, y: event.clientY, timer: setTimeout(open, LONG_PRESS_MS) }
    },
    onPointerMove: ({ clientX, clientY, target }: PointerEvent) => {
      if (isByKeyboard()) this.#activate(target)
      const press = this.#press
      if (press && Math.hypot(clientX - press.x, clientY - press.y) > MOVED_PX) this.#endPress()
    },
    onPointerUp: () => this.#endPress(),
    onPointerCancel: () => this.#endPress(),
    onContextMenu: (event: MouseEvent) => {
      // A long press on a phone opens our menu, not that of the browser.
      if (this.#parts.menuId.peek() !== undefined && idAt(event.target) === this.#parts.menuId.peek())
        event.preventDefault()
    },
    onClick: (event: MouseEvent) => {
      const target = event.target instanceof Element && event.target.closest<HTMLElement>('[data-action]')
      // With a modifier the browser opens the file of a picture.
      if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      import('./content-clicks.ts').then(({ clickContent }) => clickContent(this.#app, target), showError)
    },
  }

  #activate(target: EventTarget | null): void {
    if (!this.#parts.isHeld()) this.#parts.activeId.value = idAt(target) ?? this.#parts.activeId.peek()
  }

  #endPress(): void {
    clearTimeout(this.#press?.timer)
    this.#press = undefined
  }
}

/** Whether the keyboard was used last. */
function isByKeyboard(): boolean {
  return document.documentElement.dataset.by === 'keyboard'
}

/** The message that an element is part of. */
function idAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : undefined
  return row ? Number(row.dataset.id) : undefined
}
