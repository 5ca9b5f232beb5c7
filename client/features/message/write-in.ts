/** Writes in the composer of a conversation. */

import type { App } from '../../app/app.ts'
import { keyOf, type Narrow, splitNear, term } from '../../store/narrows/narrow.ts'

/** Opens the composer of a conversation, with a text. */
export async function writeIn(app: App, narrow: Narrow, text: string, nearId?: number): Promise<void> {
  const shown = app.router.route.peek()
  if (shown.view !== 'narrow' || keyOf(splitNear(shown.narrow).narrow) !== keyOf(narrow)) {
    const near = nearId === undefined ? [] : [term('near', nearId)]
    await app.router.open({ view: 'narrow', narrow: [...narrow, ...near] })
  }
  const composer = await app.handles.focusComposer()
  if (text !== '') composer.insert(text)
}
