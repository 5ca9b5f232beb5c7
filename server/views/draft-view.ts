/** Drafts for clients. */

import type { Draft } from '../domain/personal/drafts.ts'
import { arrayOf, INTEGER, oneOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewDraft`. */
export const DRAFT = record({
  id: INTEGER,
  type: oneOf('', 'stream', 'private'),
  to: arrayOf(INTEGER),
  topic: STRING,
  content: STRING,
  timestamp: INTEGER,
})

/** A draft; `to` holds a channel's id or users' ids. */
export function viewDraft({ id, target, content, editedAt }: Draft): ValueOf<typeof DRAFT> {
  return { id, ...viewTarget(target), content, timestamp: editedAt }
}

function viewTarget(target: Draft['target']): Pick<ValueOf<typeof DRAFT>, 'type' | 'to' | 'topic'> {
  switch (target.kind) {
    case 'unknown':
      return { type: '', to: [], topic: '' }
    case 'channel':
      return { type: 'stream', to: [target.channelId], topic: target.topic }
    case 'direct':
      return { type: 'private', to: target.userIds, topic: '' }
  }
}
