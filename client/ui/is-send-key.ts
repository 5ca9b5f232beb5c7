/** Whether a press of Enter sends a text, or saves it, rather than beginning a new line. */

/**
 * Whether Enter alone sends, by the setting of the user. Keyboards on a screen have no Shift that goes with it, so there
 * it begins a new line.
 */
export function enterSends(setting = true): boolean {
  return setting && !matchMedia('(pointer: coarse)').matches
}

/** Ctrl or Cmd with Enter always sends. */
export function isSendKey(
  { ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent,
  setting: boolean | undefined,
): boolean {
  if (ctrlKey || metaKey) return true
  return enterSends(setting) && !shiftKey && !altKey
}
