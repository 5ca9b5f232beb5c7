/** Brings the typeface: until it is there, a stand-in of the system with its measures shows the texts. */

import { afterPaint } from '../app/after-paint.ts'

/** The address of its style sheet; `client/build.ts` fills it in. */
declare const TYPEFACE: string

/** Asks for it once what has been drawn is on the screen: the first view does not wait for it. */
export function loadTypeface(): void {
  afterPaint(() => {
    if (document.querySelector(`link[href="${TYPEFACE}"]`)) return
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = TYPEFACE
    document.head.append(sheet)
  })
}
