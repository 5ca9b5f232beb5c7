/** Joins the drafts of this device with those of the server, without losing words of either. */

import type { Draft } from '../../../packages/client/src/wire-types.ts'
import { type DraftEntry, draftKey, isEmpty, isSameText, placeOf } from './draft-entry.ts'

/** The knowledge of the page about the drafts of the server. */
export interface MergeContext {
  /** Whether a draft that is missing was there before: then it was removed, and is not on its way. */
  readonly wasThere: (serverId: number) => boolean
  /** Whether the reply that gives this draft its id is on its way. */
  readonly isBeingMade: (key: string, draft: Draft) => boolean
  /** Whether this page itself has saved the text: an event that only repeats it says nothing new. */
  readonly isOwnEcho: (draft: Draft) => boolean
}

/** The changed entries by key; undefined removes one. */
export type MergeChanges = ReadonlyMap<string, DraftEntry | undefined>

export function mergeDrafts(
  entries: ReadonlyMap<string, DraftEntry>,
  drafts: readonly Draft[],
  context: MergeContext,
): MergeChanges {
  const changes = new Map<string, DraftEntry | undefined>()
  const byId = new Map(drafts.map((draft) => [draft.id, draft]))
  const taken = new Set<number>()
  for (const [key, entry] of entries) {
    if (entry.serverId === undefined) continue
    taken.add(entry.serverId)
    const theirs = byId.get(entry.serverId)
    if (theirs) {
      if (entry.isSaved && !isSameText(entry, theirs) && !context.isOwnEcho(theirs))
        changes.set(key, takeOver(entry, theirs))
    } else if (context.wasThere(entry.serverId)) changes.set(key, withoutServer(entry))
  }
  for (const draft of drafts) {
    const place = placeOf(draft)
    if (taken.has(draft.id) || !place || isEmpty(draft)) continue
    const key = draftKey(place)
    if (context.isBeingMade(key, draft)) continue
    const entry = changes.has(key) ? changes.get(key) : entries.get(key)
    if (!entry || (entry.serverId === undefined && isEmpty(entry)))
      changes.set(key, takeOver({ ...blank(draft), place, topic: entry?.topic ?? '' }, draft))
    // The reply that gives our own draft its id was lost or is late: the longer text is ours.
    else if (entry.serverId === undefined && entry.content.startsWith(draft.content.trimEnd()))
      changes.set(key, { ...entry, serverId: draft.id, isSaved: isSameText(entry, draft) })
  }
  return changes
}

function blank({ content, timestamp }: Draft): Omit<DraftEntry, 'place' | 'topic'> {
  return { content, editedAtMs: timestamp * 1_000, serverId: undefined, isSaved: true }
}

function takeOver(entry: DraftEntry, { id, content, topic, timestamp }: Draft): DraftEntry {
  const isOpenTopic = entry.place.type === 'channel' && entry.place.topic === undefined
  return {
    ...entry,
    content,
    topic: isOpenTopic ? topic : '',
    editedAtMs: timestamp * 1_000,
    serverId: id,
    isSaved: true,
  }
}

/** Another device has sent or removed it; words that it did not have stay. */
function withoutServer(entry: DraftEntry): DraftEntry | undefined {
  return entry.isSaved || isEmpty(entry) ? undefined : { ...entry, serverId: undefined }
}
