/** Speaks new messages of the current view to screen readers, politely, and some at a time. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../shell/app.ts'
import { mutedPeople } from '../../store/derived/muted-people.ts'
import { matchNarrow } from '../../store/messages/match-narrow.ts'
import { splitNear } from '../../store/narrows/narrow.ts'
import { textOf } from '../text-of.ts'

/** A burst is spoken together. */
const GATHER_MS = 500
/** More messages at once are only counted. */
const SPOKEN_MAX = 3

export function Announcer() {
  const app = useApp()
  const spoken = useSignal('')
  useEffect(() => {
    let waiting: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const speak = () => {
      spoken.value = waiting.length > SPOKEN_MAX ? `${waiting.length} new messages` : waiting.join('. ')
      waiting = []
      timer = undefined
    }
    const forget = app.live.listen((update, state) => {
      if (update.kind !== 'event' || update.event.type !== 'message') return
      const { message, flags } = update.event
      const { user_id: ownId = 0 } = state
      const route = app.router.route.peek()
      if (message.sender_id === ownId || mutedPeople(state).has(message.sender_id)) return
      if (route.view !== 'narrow') return
      if (matchNarrow(splitNear(route.narrow).narrow, { ...message, flags }, ownId) !== true) return
      waiting.push(`${message.sender_full_name}: ${textOf(message.content)}`)
      timer ??= setTimeout(speak, GATHER_MS)
    })
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [app])
  return (
    <div class="hidden" role="status" aria-label="New messages">
      {spoken.value}
    </div>
  )
}
