/** Events applied to one message; applying one again changes nothing. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { Topic } from '../derived/topic.ts'
import type { EventOf } from '../events/reducer.ts'

/** The message in another topic. */
export function changePlace(message: Message, { channelId, topic }: Topic): Message {
  return { ...message, stream_id: channelId, subject: topic }
}

/** The message after an edit or a move. */
export function updateMessage(message: Message, event: EventOf<'update_message'>): Message {
  let changed = message
  if (event.message_ids.includes(message.id)) {
    const { subject, new_stream_id: stream_id, topic_links } = event
    if (subject !== undefined || stream_id !== undefined)
      changed = {
        ...changed,
        ...(subject === undefined ? {} : { subject, topic_links: topic_links ?? changed.topic_links }),
        ...(stream_id === undefined ? {} : { stream_id }),
        last_moved_timestamp: event.edit_timestamp,
      }
  }
  if (message.id !== event.message_id || event.content === undefined) return changed
  const { rendered_content = '', is_me_message = false, flags } = event
  const content = message.content_type === 'text/html' ? rendered_content : event.content
  const { match_content: _, ...unmarked } = changed
  const edited = event.rendering_only ? {} : { last_edit_timestamp: event.edit_timestamp }
  return { ...unmarked, content, is_me_message, flags, ...edited }
}

/** The message with or without a flag. */
export function changeFlag(message: Message, flag: string, isAdding: boolean): Message {
  if (message.flags.includes(flag) === isAdding) return message
  const flags = isAdding ? [...message.flags, flag] : message.flags.filter((one) => one !== flag)
  return { ...message, flags }
}

type ReactionEvent = EventOf<'reaction/add' | 'reaction/remove'>

/** The message with or without a reaction. */
export function changeReaction(message: Message, event: ReactionEvent): Message {
  const { emoji_name, emoji_code, reaction_type, user_id } = event
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  const isThere = others.length < message.reactions.length
  if (isThere === (event.op === 'add')) return message
  if (isThere) return { ...message, reactions: others }
  return { ...message, reactions: [...others, { emoji_name, emoji_code, reaction_type, user_id }] }
}

/** The message with one more entry of its poll or to-do list. */
export function addSubmessage(message: Message, event: EventOf<'submessage'>): Message {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = event
  if (message.submessages.some((one) => one.id === id)) return message
  return {
    ...message,
    submessages: [...message.submessages, { id, message_id, sender_id, msg_type, content }],
  }
}
