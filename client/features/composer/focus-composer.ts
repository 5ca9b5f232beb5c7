/** Reaches the composer of the current view from elsewhere. */

/** A view that was just opened draws its composer within so many frames. */
const FRAMES_MAX = 60

function findComposer(): HTMLTextAreaElement | undefined {
  return document.querySelector<HTMLTextAreaElement>('.main .composer textarea') ?? undefined
}

export function hasComposer(): boolean {
  return findComposer() !== undefined
}

/** Puts the cursor into the composer, once it is drawn. */
export async function focusComposer(): Promise<HTMLTextAreaElement> {
  for (let frame = 0; frame < FRAMES_MAX; frame++) {
    await new Promise(requestAnimationFrame)
    const found = findComposer()
    if (!found) continue
    found.focus()
    return found
  }
  throw new Error('the view has no composer')
}

/** Inserts a text at the cursor, as if it was typed. */
export function insertInComposer(area: HTMLTextAreaElement, text: string): void {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
