/** Whether a press of Enter sends a text, or saves it, rather than beginning a new line. */

/** Ctrl or Cmd with Enter always sends; Enter alone by the setting of the user. */
export function isSendKey(
  { ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent,
  enterSends: boolean,
): boolean {
  if (ctrlKey || metaKey) return true
  return enterSends && !shiftKey && !altKey
}
