/** The state of a client as its registration fills it, from the server's own encoders. */

import type { State } from '../../client/store/apply.ts'
import type { RegistrationContext } from '../../server/api/registration/context.ts'
import { fetchInitialState } from '../../server/api/registration.ts'
import { fetchVisitorState } from '../../server/api/visitor-registration.ts'
import { EncodedField } from '../../server/api/operation.ts'
import type { User } from '../../server/domain/entities.ts'
import { isVisitor } from '../../packages/rules/organization.ts'
import type { OrganizationState } from '../../server/state/organization-state.ts'
import { joinPieces } from '../../server/views/json-pieces.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { NOW } from './random-organization.ts'

/** The parts that permissions depend on. */
const TYPES = ['realm', 'realm_user', 'realm_user_groups', 'stream', 'subscription', 'user_topic']

/** Nobody has left a channel, which is all that these parts ask the database. */
const sql = async () => []

export async function registerClient(user: User, state: OrganizationState): Promise<State> {
  const context = {
    user,
    services: {
      state,
      sql,
      clock: new ManualClock(NOW * 1_000),
      uploads: { mibMax: 1, quotaMib: null },
      publicUrl: 'http://localhost',
      pollHoldSeconds: 25,
      hasWebPublicChannels: true,
      calls: undefined,
      names: { addAliases: <Fields>(fields: Fields) => fields },
    },
    options: {
      clientGravatar: false,
      hasIncompleteUsers: false,
      hasDeactivatedGroups: true,
      hasArchivedChannels: true,
      includeSubscribers: true,
      allowsNullSettings: true,
      allowEmptyTopic: true,
    },
    asOf: state.appliedId,
  } as unknown as RegistrationContext
  const fetched = isVisitor(user)
    ? await fetchVisitorState(context, TYPES)
    : await fetchInitialState(context, TYPES)
  const fields = Object.entries(fetched).map(([name, value]) => [
    name,
    value instanceof EncodedField ? JSON.parse(joinPieces(value.pieces).toString()) : value,
  ])
  const sent = JSON.stringify(Object.fromEntries(fields))
  return { ...JSON.parse(sent), queue_id: isVisitor(user) ? null : 'queue' } as State
}
