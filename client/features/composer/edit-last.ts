/** Edits the last message that the user wrote to a place. */

import type { App } from '../../app/app.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { runAction } from '../../ui/action.ts'
import { type Narrow, ofChannel, ofDirect, ofTopic } from '../../store/narrows/narrow.ts'
import { edit } from '../message/actions/edit.ts'

/** False if there is none, or if it cannot be edited any more. */
export function editLast(app: App, place: DraftPlace): boolean {
  const ownId = app.state.peek().user_id
  const { messages } = app.messages.window(narrowOf(place)).peek()
  const last = messages.findLast(({ sender_id }) => sender_id === ownId)
  if (!last || !edit.may(app, last)) return false
  runAction(edit, app, last)
  return true
}

function narrowOf(place: DraftPlace): Narrow {
  if (place.type === 'direct') return ofDirect(place.userIds)
  return place.topic === undefined ? ofChannel(place.channelId) : ofTopic(place.channelId, place.topic)
}
