/** Whether the next view was asked for by a shortcut: then keys go on being shortcuts, and no field takes the focus. */

let isAsked = false
let isShown = false

export function noteKeyboardMove(): void {
  isAsked = true
}

/** Once true after a note. */
export function takeKeyboardMove(): boolean {
  isShown = isAsked
  isAsked = false
  return isShown
}

/** Whether the current view was asked for by a shortcut. */
export function isShownByKeyboard(): boolean {
  return isShown
}
