/** Speaks new messages of the current view to screen readers, politely, and some at a time. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { mutedPeople } from '../../store/derived/muted-people.ts'
import { matchNarrow } from '../../store/messages/match-narrow.ts'
import { splitNear } from '../../store/narrows/narrow.ts'
import { textOf } from '../../ui/text-of.ts'
import { t } from '../../texts/texts.ts'

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
      spoken.value =
        waiting.length > SPOKEN_MAX
          ? t('{count} new messages', { count: waiting.length })
          : waiting.join('. ')
      waiting = []
      timer = undefined
    }
    const shownNarrow = () => {
      const route = app.router.route.peek()
      return route.view === 'narrow' ? splitNear(route.narrow).narrow : undefined
    }
    const note = (message: Message, state: State) => {
      const narrow = shownNarrow()
      if (message.sender_id === app.ownId || mutedPeople(state).has(message.sender_id)) return
      if (!narrow || matchNarrow(narrow, message, app.ownId) !== true) return
      waiting.push(`${message.sender_full_name}: ${textOf(message.content)}`)
      timer ??= setTimeout(speak, GATHER_MS)
    }
    const forget = app.live.listen((update, state) => {
      if (update.kind !== 'event' || update.event.type !== 'message') return
      note({ ...update.event.message, flags: update.event.flags }, state)
    })
    // This code may come after the first of them.
    const { startId } = app
    const narrow = shownNarrow()
    if (narrow && startId !== undefined)
      for (const message of app.messages.window(narrow).peek().messages)
        if (message.id > startId) note(message, app.state.peek())
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [app])
  return (
    <div class="hidden" role="status" aria-label={t('New messages')}>
      {spoken.value}
    </div>
  )
}
