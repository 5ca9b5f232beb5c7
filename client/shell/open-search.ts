/** Brings the reader to the search; on a phone that is the palette, which has the whole screen. */

import type { App } from '../app/app.ts'
import { isPhone } from '../ui/use-phone.ts'

export function openSearch(app: App): void {
  if (isPhone() && !app.isVisitor) {
    app.dialogs.palette.value = true
    return
  }
  if (isPhone()) app.router.go({ view: 'places' })
  requestAnimationFrame(() => {
    // A hidden sidebar comes out, and stays as long as it has the focus.
    const { side, search } = app.handles
    if (side) side.dataset.peeks = ''
    search?.focus()
    delete side?.dataset.peeks
  })
}
