/** Gitea: nearly GitHub's payloads. Forgejo sends the same, with more names of its headers. */

import { FORGE_EVENTS } from '../forge.ts'
import type { Integration } from '../integration.ts'
import { at, UnreadablePayload } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

/** Events that GitHub does not have, by the ones that they are. */
const OWN_EVENTS = new Map([
  ['issue_assign', 'issues'],
  ['issue_label', 'issues'],
  ['issue_milestone', 'issues'],
  ['pull_request_assign', 'pull_request'],
  ['pull_request_label', 'pull_request'],
  ['pull_request_milestone', 'pull_request'],
  ['pull_request_sync', 'pull_request'],
  ['pull_request_review_request', 'pull_request'],
  ['pull_request_approved', 'pull_request_review'],
  ['pull_request_rejected', 'pull_request_review'],
])
/** Events that no Gitea sends. */
const FOREIGN = [
  'pull_request_review_comment',
  'discussion',
  'discussion_comment',
  'commit_comment',
  'star',
  'deployment_status',
  'ping',
]

/** The event by its own name. A review without a verdict shares its name with comments of some releases. */
function eventOf(sent: string, payload: unknown): string {
  if (sent !== 'pull_request_comment') return OWN_EVENTS.get(sent) ?? sent
  return at(payload, 'review') ? 'pull_request_review' : 'issue_comment'
}

export const gitea: Integration = {
  name: 'gitea',
  title: 'Gitea',
  takes: 'json',
  events: [...FORGE_EVENTS.keys()].filter((event) => !FOREIGN.includes(event)),
  headers: ['x-gitea-event', 'x-gitea-delivery'],
  signature: hmacHeader('x-gitea-signature'),
  deliveryId: ({ header }) => header('x-gitea-delivery'),
  read({ payload, header }) {
    const sent = header('x-gitea-event')
    if (sent === '') throw new UnreadablePayload('the header X-Gitea-Event is missing')
    const event = eventOf(sent, payload)
    const found = gitea.events.includes(event) ? FORGE_EVENTS.get(event)?.(payload) : undefined
    return found ? { event, ...found } : { unsupported: sent }
  },
}
