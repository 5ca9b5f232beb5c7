/** Marks the message that a link led to, for a moment, and puts the focus on it. */

import type { App } from '../../app/app.ts'
import { isField } from '../../ui/is-typing.ts'
import { MessageParts } from '../message/message-parts.ts'

/** As long as `messages.css` draws the mark. */
const MARKED_MS = 1_700
/** A message that is loaded is drawn within so many frames; a tab that nobody looks at has none. */
const FRAMES_MAX = 60

/** Waits until the message is drawn; gives up when the signal aborts. */
export async function markFound(app: App, id: number, stop: AbortSignal): Promise<void> {
  const { foundId } = app.part(MessageParts)
  for (let frame = 0; frame < FRAMES_MAX; frame++) {
    await new Promise(requestAnimationFrame)
    if (stop.aborted) return
    const message = document.getElementById(`message-${id}`)
    if (!message) continue
    // A reply has the focus in its text.
    const { activeElement: taken } = document
    if (!isField(taken) && !taken?.closest('dialog')) {
      const options: FocusOptions & { focusVisible: boolean } = { preventScroll: true, focusVisible: false }
      message.focus(options)
    }
    foundId.value = id
    setTimeout(() => {
      if (foundId.peek() === id) foundId.value = undefined
    }, MARKED_MS)
    return
  }
}
