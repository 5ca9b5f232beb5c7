/** Reactions: shown at once, taken back if the server refuses. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { ReactionEmoji } from '../emoji/emoji-look.tsx'
import type { App } from '../../app/app.ts'
import { showError } from '../../ui/toasts.tsx'

function isSameEmoji(a: ReactionEmoji, b: ReactionEmoji): boolean {
  return a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type
}

/** Adds the user's reaction, or takes it back. */
export async function toggleReaction(app: App, message: Message, emoji: ReactionEmoji): Promise<void> {
  const { user_id: ownId = 0 } = app.state.peek()
  const { emoji_name, emoji_code, reaction_type } = emoji
  const isOwn = (app.messages.find(message.id) ?? message).reactions.some(
    (one) => one.user_id === ownId && isSameEmoji(one, emoji),
  )
  const change = { emoji_name, emoji_code, reaction_type, message_id: message.id }
  // The event of the server changes nothing more.
  const show = (op: 'add' | 'remove') =>
    app.messages.apply({ id: 0, type: 'reaction', op, user_id: ownId, ...change })
  show(isOwn ? 'remove' : 'add')
  try {
    await app.api.call(
      isOwn ? 'DELETE /messages/{message_id}/reactions' : 'POST /messages/{message_id}/reactions',
      change,
    )
  } catch (error) {
    show(isOwn ? 'add' : 'remove')
    showError(error)
  }
}

/** The reactions of a message, each emoji once, in the order of their first. */
export function groupReactions(
  reactions: Message['reactions'],
): readonly { readonly emoji: ReactionEmoji; readonly userIds: readonly number[] }[] {
  const groups = new Map<string, { emoji: ReactionEmoji; userIds: number[] }>()
  for (const one of reactions) {
    const key = `${one.reaction_type} ${one.emoji_code}`
    const group = groups.get(key)
    if (group) group.userIds.push(one.user_id)
    else groups.set(key, { emoji: one, userIds: [one.user_id] })
  }
  return [...groups.values()]
}
