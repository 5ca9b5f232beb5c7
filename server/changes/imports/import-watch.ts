/** The progress of an import, and its end on the way. */

import type { ForeignSource } from './records.ts'

/** The progress of an import, which it sets. */
export interface ImportWatch {
  /** The part of the work that is running. */
  step: string
  /** Messages so far. */
  rows: number
  /** Aborts the import between two records, with its reason; all that is written stays. */
  readonly signal?: AbortSignal
}

/** The same source, whose lists throw the signal's reason once it is aborted. */
export function watchSource(source: ForeignSource, { signal }: ImportWatch): ForeignSource {
  if (!signal) return source
  const { groups, emoji, uploads } = source
  return {
    product: source.product,
    origin: source.origin,
    users: () => watch(source.users(), signal),
    channels: () => watch(source.channels(), signal),
    conversations: () => watch(source.conversations(), signal),
    ...(groups ? { groups: () => watch(groups.call(source), signal) } : {}),
    ...(emoji ? { emoji: () => watch(emoji.call(source), signal) } : {}),
    ...(uploads ? { uploads: () => watch(uploads.call(source), signal) } : {}),
    open: (path) => source.open?.(path),
    messages: () => watch(source.messages(), signal),
    translate: (message, names) => source.translate(message, names),
    close: () => source.close(),
  }
}

async function* watch<Row>(rows: AsyncIterable<Row>, signal: AbortSignal): AsyncGenerator<Row> {
  for await (const row of rows) {
    signal.throwIfAborted()
    yield row
  }
}
