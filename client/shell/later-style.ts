/** Brings the styles that the first view does without: the typeface, dialogs on messages, print. */

import { afterPaint } from '../app/after-paint.ts'

/** Its address; `client/build.ts` fills it in. */
declare const LATER_STYLE: string

/** Asks for it once what has been drawn is on the screen: the first view does not wait for it. */
export function loadLaterStyle(): void {
  afterPaint(() => {
    if (document.querySelector(`link[href="${LATER_STYLE}"]`)) return
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = LATER_STYLE
    document.head.append(sheet)
  })
}
