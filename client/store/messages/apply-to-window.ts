/** Events applied to a window of messages. */

import type { Event, Message } from '../../../packages/client/src/wire-types.ts'
import { addSubmessage, changeFlag, changeReaction, updateMessage } from './change-message.ts'
import { matchNarrow } from './match-narrow.ts'
import { mayEnter } from './may-enter.ts'
import { covers, findPlace, type MessageWindow, placeMessage, removeMessages } from './message-window.ts'

/** A message that another window has. */
type Find = (id: number) => Message | undefined

/** The window after an event; the same object if the event does not concern it. */
export function applyToWindow(
  window: MessageWindow,
  event: Event,
  ownId: number,
  find: Find = () => undefined,
): MessageWindow {
  switch (event.type) {
    case 'message': {
      const message: Message = { ...event.message, flags: event.flags }
      return matchNarrow(window.narrow, message, ownId) === true ? placeMessage(window, message) : window
    }
    case 'delete_message':
      return removeMessages(window, new Set('message_ids' in event ? event.message_ids : [event.message_id]))
    case 'update_message': {
      const ids = new Set([event.message_id, ...event.message_ids])
      return changeAll(window, ids, (message) => updateMessage(message, event), { event, ownId, find })
    }
    case 'update_message_flags': {
      const ids = new Set(event.all ? window.messages.map(({ id }) => id) : event.messages)
      const isAdding = event.op === 'add'
      const change = (message: Message) => changeFlag(message, event.flag, isAdding)
      return changeAll(window, ids, change, { event, ownId, find })
    }
    case 'reaction':
      return changeOne(window, event.message_id, (message) => changeReaction(message, event))
    case 'submessage':
      return changeOne(window, event.message_id, (message) => addSubmessage(message, event))
    default:
      return window
  }
}

function changeOne(window: MessageWindow, id: number, change: (message: Message) => Message): MessageWindow {
  const message = window.messages[findPlace(window.messages, id)]
  return message?.id === id ? placeMessage(window, change(message)) : window
}

/** Changes messages that may enter or leave the narrow by it. */
function changeAll(
  window: MessageWindow,
  ids: ReadonlySet<number>,
  change: (message: Message) => Message,
  { event, ownId, find }: { readonly event: Event; readonly ownId: number; readonly find: Find },
): MessageWindow {
  let next = window
  const gone = new Set<number>()
  for (const id of ids) {
    const held = window.messages[findPlace(window.messages, id)]
    const message = held?.id === id ? held : find(id)
    if (message) {
      const changed = change(message)
      const matches = matchNarrow(window.narrow, changed, ownId)
      if (matches === false) gone.add(id)
      else if (matches || message === held) next = placeMessage(next, changed)
    } else if (!next.isStale && covers(window, id) && mayEnter(window.narrow, event)) {
      // The message may belong to the narrow now, but its text is not loaded.
      next = { ...next, isStale: true }
    }
  }
  return gone.size > 0 ? removeMessages(next, gone) : next
}
