/** The state of channels, as messages change it: the messages themselves are not in the state. */

import type { ChannelMove, MessageEvent } from '../../domain/events/messages.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { countMessage, type DailyCounts } from '../../domain/messages/weekly-traffic.ts'
import type { OrganizationState } from '../organization-state.ts'
import { type Appliers, storedElsewhere, noticeOnly } from './appliers.ts'

/** Applies the events of messages. */
export const MESSAGE_APPLIERS: Appliers<MessageEvent> = {
  message: (state, event, id) => {
    if (event.userIds !== null) state.placeConversation(event.userIds)
    if (event.channelId === null) return
    const channel = state.channelToChange(event.channelId)
    channel.firstMessageId ??= id as number as MessageId
    channel.lastMessageAt = event.sentAt
    countMessage(channel.dailyCounts, event.sentAt)
  },
  delete_message: (state, event) => {
    if (event.channelId === null) return
    const channel = state.channelToChange(event.channelId)
    channel.firstMessageId = event.firstMessageId
    if (event.lastMessageAt !== undefined) channel.lastMessageAt = event.lastMessageAt
    addCounts(channel.dailyCounts, event.countsByDay, -1)
  },
  'delete_message/single': noticeOnly,
  'delete_message/hidden': noticeOnly,
  update_message: (state, { channelId, move }) => {
    if (channelId !== null && move?.toChannel) moveMessages(state, channelId, move.toChannel)
  },
  update_message_flags: (state, { flag, userId }) => {
    if (flag === 'starred') state.listOwners.add('starredMessages', [userId])
  },
  'reaction/add': storedElsewhere,
  'reaction/remove': storedElsewhere,
  submessage: storedElsewhere,
}

function moveMessages(state: OrganizationState, channelId: ChannelId, move: ChannelMove): void {
  const { countsByDay } = move
  const left = state.channelToChange(channelId)
  Object.assign(left, move.left)
  addCounts(left.dailyCounts, countsByDay, -1)
  const joined = state.channelToChange(move.channelId)
  Object.assign(joined, move.joined)
  addCounts(joined.dailyCounts, countsByDay, 1)
}

function addCounts(counts: DailyCounts, added: ChannelMove['countsByDay'], sign: 1 | -1): void {
  for (const [day, count] of added) {
    const sum = (counts.get(day) ?? 0) + sign * count
    if (sum > 0) counts.set(day, sum)
    else counts.delete(day)
  }
}
