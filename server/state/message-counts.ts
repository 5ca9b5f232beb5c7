/** The numbers of messages in channels, as deletions and moves change them. */

import type { ChannelMove } from '../domain/events/messages.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { DailyCounts } from '../domain/messages/weekly-traffic.ts'
import type { OrganizationState } from './organization-state.ts'

/** Moves messages from a channel to another: both have other first and last messages then. */
export function moveMessages(state: OrganizationState, channelId: ChannelId, move: ChannelMove): void {
  const { countsByDay } = move
  const left = state.channelToChange(channelId)
  Object.assign(left, move.left)
  addCounts(left.dailyCounts, countsByDay, -1)
  const joined = state.channelToChange(move.channelId)
  Object.assign(joined, move.joined)
  addCounts(joined.dailyCounts, countsByDay, 1)
}

export function addCounts(counts: DailyCounts, added: ChannelMove['countsByDay'], sign: 1 | -1): void {
  for (const [day, count] of added) {
    const sum = (counts.get(day) ?? 0) + sign * count
    if (sum > 0) counts.set(day, sum)
    else counts.delete(day)
  }
}
