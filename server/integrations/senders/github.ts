/** GitHub: repositories and organizations. */

import { FORGE_EVENTS } from '../forge.ts'
import type { Integration } from '../integration.ts'
import { UnreadablePayload } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

export const github: Integration = {
  name: 'github',
  title: 'GitHub',
  takes: 'json',
  events: [...FORGE_EVENTS.keys()],
  headers: ['x-github-event', 'x-github-delivery'],
  signature: hmacHeader('x-hub-signature-256', 'sha256='),
  deliveryId: ({ header }) => header('x-github-delivery'),
  read({ payload, header }) {
    const event = header('x-github-event')
    if (event === '') throw new UnreadablePayload('the header X-GitHub-Event is missing')
    const found = FORGE_EVENTS.get(event)?.(payload)
    return found ? { event, ...found } : { unsupported: event }
  },
}
