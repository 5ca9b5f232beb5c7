/** Announces the organization to the relay, which serves only those that it knows. */

import { createHmac } from 'node:crypto'
import { readAnnouncedOrganization } from '../../../db/notifications/relay-state.ts'
import { noteRelayAnswer, noteRelayReach } from './note-relay-answer.ts'
import type { RelayContext } from './push-context.ts'
import { announceToRelay } from './push-relay.ts'

/** Announces it, and notes whether the relay took that. */
export async function announceOrganization(context: RelayContext): Promise<void> {
  const { sql, relay, organizationId, organizationUrl } = context
  const organization = await readAnnouncedOrganization(sql)
  if (!organization) return // There is none before the set-up.
  const answer = await announceToRelay(relay, {
    id: 1,
    uuid: organizationId,
    // Proves to the relay that a later announcement is by the same server.
    uuid_owner_secret: createHmac('sha256', relay.key).update(organizationId).digest('hex'),
    host: new URL(organizationUrl).host,
    url: organizationUrl,
    name: organization.name,
    org_type: 0,
    date_created: organization.createdAt,
    deactivated: false,
    is_system_bot_realm: false,
    authentication_methods: {},
  })
  if (answer.kind === 'done' || answer.kind === 'refused' || answer.kind === 'invalid')
    await noteRelayAnswer(context, answer.kind === 'done' && isServed(answer.body, organizationId))
  else await noteRelayReach(context, answer)
}

/** The relay answers with the state of each announced organization; a relay that leaves it out serves all. */
function isServed({ realms }: Readonly<Record<string, unknown>>, organizationId: string): boolean {
  if (typeof realms !== 'object' || realms === null) return true
  const own = (realms as Record<string, { readonly can_push?: unknown } | undefined>)[organizationId]
  return own === undefined || own.can_push !== false
}
