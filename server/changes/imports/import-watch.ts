/** The progress of an import, and its end on the way. */

import type { ImportStep } from '../../domain/organization/imports.ts'
import type { ForeignList, ForeignSource } from './records.ts'

/** The progress of an import, which it sets. */
export interface ImportWatch {
  /** The part of the work that is running. */
  step: ImportStep
  /** Messages so far. */
  rows: number
  /** Aborts the import between two records, with its reason; all that is written stays. */
  readonly signal?: AbortSignal
}

/** The same source, whose lists throw the signal's reason once it is aborted. */
export function watchSource(source: ForeignSource, { signal }: ImportWatch): ForeignSource {
  if (!signal) return source
  const { lists, unread, organization } = source
  return {
    product: source.product,
    origin: source.origin,
    lists: {
      users: watchList(lists.users, signal),
      channels: watchList(lists.channels, signal),
      conversations: watchList(lists.conversations, signal),
      groups: watchList(lists.groups, signal),
      folders: watchList(lists.folders, signal),
      profileFields: watchList(lists.profileFields, signal),
      emoji: watchList(lists.emoji, signal),
    },
    ...(organization ? { organization } : {}),
    files: source.files,
    // Read again each time, as a method of its source.
    ...(source.uploads
      ? { uploads: () => watch((source as Required<ForeignSource>).uploads(), signal) }
      : {}),
    own: () => watch(source.own?.() ?? [], signal),
    ...(unread ? { unread: { ...unread, read: () => watch(unread.read(), signal) } } : {}),
    messages: () => watch(source.messages(), signal),
    translate: (message, names) => source.translate(message, names),
  }
}

function watchList<Item>(list: ForeignList<Item>, signal: AbortSignal): ForeignList<Item> {
  return {
    has: (id) => list.has(id),
    *values() {
      for (const item of list.values()) {
        signal.throwIfAborted()
        yield item
      }
    },
  }
}

async function* watch<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    signal.throwIfAborted()
    yield row
  }
}
