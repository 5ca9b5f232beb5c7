/** Whether a key belongs to a text that is being written, or to a shortcut of the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return true
  const { target } = event
  return target instanceof HTMLElement && (target.isContentEditable || isField(target))
}

export function isField(element: Element | null): boolean {
  return element !== null && ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)
}
