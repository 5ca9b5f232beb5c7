/** The text of a message that is read: a card of a linked page comes when it moves nothing on the screen. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'

/** Edits are shown at once, and so is who is in a call, in its line; a text with more blocks has the preview of a link. */
export function useSteadyText({ id, last_edit_timestamp: editedAt }: Message, html: string): string {
  const app = useApp()
  const left = useSignal(0)
  void left.value
  const shown = useRef({ html, editedAt })
  const isHeld =
    editedAt === shown.current.editedAt &&
    blocksIn(html) !== blocksIn(shown.current.html) &&
    isAmongOthers(app, id)
  if (!isHeld) shown.current = { html, editedAt }
  useEffect(() => {
    if (!isHeld) return
    const look = () => void (isAmongOthers(app, id) || left.value++)
    const options = { capture: true, passive: true }
    for (const event of EVENTS) document.addEventListener(event, look, options)
    return () => {
      for (const event of EVENTS) document.removeEventListener(event, look, options)
    }
  }, [isHeld])
  return shown.current.html
}

const EVENTS = ['scroll', 'visibilitychange'] as const

/** The paragraphs and cards of a text: as many have about the same height. */
function blocksIn(html: string): number {
  return html.split(/<(?:p|div)[ >]/).length
}

/** Whether a message is on the screen of a list that is not at its end: there all grows upwards, as with each new message. */
function isAmongOthers({ handles: { list } }: App, id: number): boolean {
  return !document.hidden && list?.place() !== 'newest' && list?.visibleIds().includes(id) === true
}
