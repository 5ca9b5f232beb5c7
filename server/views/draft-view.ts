/** Drafts as clients see them. */

import type { Draft } from '../domain/drafts.ts'

/** A draft; `to` holds a channel's id, or those of people. */
export function viewDraft({ id, target, content, editedAt }: Draft) {
  return { id, ...viewTarget(target), content, timestamp: editedAt }
}

function viewTarget(target: Draft['target']) {
  switch (target.kind) {
    case 'unknown':
      return { type: '', to: [], topic: '' }
    case 'channel':
      return { type: 'stream', to: [target.channelId], topic: target.topic }
    case 'direct':
      return { type: 'private', to: target.userIds, topic: '' }
  }
}
