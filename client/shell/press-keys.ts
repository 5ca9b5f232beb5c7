/** Turns pressed keys into shortcuts, also those of two keys in a row. */

import type { App } from '../app/app.ts'
import { isTyping } from '../ui/is-typing.ts'
import { type Shortcut, SHORTCUTS } from './keyboard.ts'

/** The time for the second key of a shortcut. */
const SECOND_KEY_MS = 2_000

/** Letters go on for so long after their field has gone, such as that of an edit whose message was deleted. */
const LOST_FIELD_MS = 1_500

/** After these, letters are meant for what comes next. */
const ENDS_TYPING = ['Enter', 'Escape', 'Tab']

/** Elements with keys of their own. */
const WITH_OWN_KEYS = 'dialog, [role=menu], [role=listbox], [role=grid], video, audio'

/** Obeys the keyboard until the signal aborts, first the keys that were pressed before. */
export function followKeys(app: App, stop: AbortSignal, early: readonly KeyboardEvent[]): void {
  let first: { readonly key: string; readonly atMs: number } | undefined
  let typed: { readonly field: EventTarget | null; readonly atMs: number } | undefined
  const noteTyped = (event: KeyboardEvent) => {
    const isLost = typed && !isShown(typed.field) && event.timeStamp - typed.atMs < LOST_FIELD_MS
    if (ENDS_TYPING.includes(event.key)) typed = undefined
    else if (isTyping(event)) typed = { field: event.target, atMs: event.timeStamp }
    else if (isLost && event.key.length === 1 && document.activeElement === document.body) {
      typed = { field: null, atMs: event.timeStamp }
      event.preventDefault()
    }
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    const target = event.target instanceof Element ? event.target : document.body
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return
    if (isWithControl(event)) {
      // Also while a text is being written, and where the key has another letter.
      const shortcut = findShortcut(`Ctrl ${event.code === 'Backslash' ? '\\' : key}`)
      if (shortcut && shortcut.run(app) !== false) event.preventDefault()
      return
    }
    if (target.closest(WITH_OWN_KEYS)) return
    if (isTyping(event) && (key !== 'Escape' || event.isComposing)) return
    const before = first && event.timeStamp - first.atMs < SECOND_KEY_MS ? `${first.key} ` : ''
    first = undefined
    const shortcut = findShortcut(before + key) ?? findShortcut(key)
    // Enter belongs to the control that has the focus.
    if (key === 'Enter' && target.matches('a, button, summary, input')) return
    if (shortcut && shortcut.run(app) !== false) event.preventDefault()
    else if (SHORTCUTS.some(({ keys }) => keys.startsWith(`${key} `))) first = { key, atMs: event.timeStamp }
  }
  for (const event of early) press(event)
  // First of all: fields keep their keys to themselves.
  addEventListener('keydown', noteTyped, { signal: stop, capture: true })
  addEventListener('keydown', press, { signal: stop })
}

function isShown(field: EventTarget | null): boolean {
  return field instanceof Node && field.isConnected
}

/** Not for letters that a keyboard writes by AltGr, which some systems report as Ctrl and Alt. */
function isWithControl(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.getModifierState('AltGraph')
}

function findShortcut(keys: string): Shortcut | undefined {
  return SHORTCUTS.find((one) => one.keys === keys || one.also === keys)
}
