/** The parameters of `GET /messages` for the pages of a window. */

import type { Operations } from '../../../packages/client/src/wire-types.ts'
import { isSearch } from '../narrows/is-search.ts'
import { type Narrow, term, toApi } from '../narrows/narrow.ts'

/** The place at which a window opens: a message, or an end of the conversation. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread'

/** A place in a conversation, and the numbers of messages around it. */
export interface PageRange {
  readonly anchor: Anchor
  readonly num_before: number
  readonly num_after: number
}

/** Messages with which a window opens: a screen or two on each side, since each is a dozen elements. */
const BEFORE_COUNT = 20
const AFTER_COUNT = 22
/** Before the newest message, where nothing comes after. */
const BEFORE_NEWEST_COUNT = 35

/** The place at which a view of a narrow opens, at a certain message or not. */
export function openingAnchor(narrow: Narrow, nearId: number | undefined): Anchor {
  return nearId ?? (isSearch(narrow) ? 'newest' : 'first_unread')
}

/** The messages with which a window opens. */
export function openingRange(anchor: Anchor): PageRange {
  const num_before = anchor === 'newest' ? BEFORE_NEWEST_COUNT : BEFORE_COUNT
  return { anchor, num_before, num_after: AFTER_COUNT }
}

/** The narrow to ask for after a link: the server answers with the present conversation of the linked message. */
export function linkedNarrow(narrow: Narrow, linkedId: number | undefined): Narrow {
  const isTopic = narrow.length === 2 && narrow[1]?.operator === 'topic'
  return isTopic && linkedId !== undefined ? [...narrow, term('with', linkedId)] : narrow
}

export function pageParams(narrow: Narrow, range: PageRange): Operations['GET /messages']['params'] {
  return {
    ...range,
    anchor: String(range.anchor),
    narrow: toApi(narrow),
    apply_markdown: true,
    allow_empty_topic_name: true,
  }
}
