/** Drafts: messages that a person has begun, one for each place, on this device and on the server. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Draft } from '../../../packages/client/src/wire-types.ts'

/** The place that a draft is for; in the view of a whole channel, the topic is open. */
export type DraftPlace =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string | undefined }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }

/** A topic that a draft is for. */
export type TopicPlace = { readonly type: 'channel'; readonly channelId: number; readonly topic: string }

/** The draft of one place. */
export interface DraftEntry {
  readonly place: DraftPlace
  /** The typed topic, where the topic is open. */
  readonly topic: string
  readonly content: string
  /** Milliseconds of the clock. */
  readonly editedAtMs: number
  /** Its draft on the server, if it has one. */
  readonly serverId: number | undefined
  /** Whether the server has this text. */
  readonly isSaved: boolean
}

/** Equal for the same place. */
export function draftKey(place: DraftPlace): string {
  if (place.type === 'direct') return `direct ${place.userIds.toSorted((a, b) => a - b).join()}`
  const { channelId, topic } = place
  return topic === undefined ? `channel ${channelId}` : `channel ${channelId} ${topicKey(topic)}`
}

/** The place of a draft of the server; undefined if none was chosen. An empty topic may still be chosen. */
export function placeOf({ type, to, topic }: Draft): DraftPlace | undefined {
  const [first] = to
  if (type === 'private') return { type: 'direct', userIds: to }
  if (type !== 'stream' || first === undefined) return undefined
  return { type: 'channel', channelId: first, topic: topic === '' ? undefined : topic }
}

/** A draft without words. */
export function isEmpty({ content }: Pick<DraftEntry, 'content'>): boolean {
  return content.trim() === ''
}

/** The form of the API. */
export function toServer({ place, topic, content, editedAtMs }: DraftEntry) {
  const timestamp = Math.floor(editedAtMs / 1_000)
  return place.type === 'direct'
    ? { type: 'direct' as const, to: place.userIds, topic: '', content, timestamp }
    : { type: 'channel' as const, to: [place.channelId], topic: place.topic ?? topic, content, timestamp }
}

/** The server removes spaces at the end. */
export function isSameText(entry: DraftEntry, draft: Draft): boolean {
  return entry.content.trimEnd() === draft.content.trimEnd()
}
