/** Registers the tokens of devices with the relay, and notifies their users of the results. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { NextDue } from '../../../db/due-work.ts'
import {
  claimRegistrations,
  type DueRegistration,
  findNextRegistration,
  postponeRegistration,
} from '../../../db/personal/push-devices.ts'
import { commitDeviceChange } from './commit-device-change.ts'
import { noteRelayReach } from './note-relay-answer.ts'
import type { RelayContext } from './push-context.ts'
import { callRelay } from './push-relay.ts'

/** The error code of a registration that was not possible in time: clients register again. */
const EXPIRED_CODE = 'REQUEST_EXPIRED'

/** Registers all tokens that are due; returns when the next one is. */
export async function registerDevices(context: RelayContext): Promise<NextDue | undefined> {
  for (;;) {
    const due = await claimRegistrations(context.sql)
    if (due.length === 0) return findNextRegistration(context.sql, 'client_devices')
    await Promise.all(due.map((one) => register(context, one)))
  }
}

async function register(context: RelayContext, due: DueRegistration): Promise<void> {
  const { sql, relay, organizationId } = context
  const answer = await callRelay(relay, 'e2ee/register', {
    realm_uuid: organizationId,
    token_id: due.tokenId,
    bouncer_public_key: due.relayPublicKey,
    encrypted_push_registration: due.sealed,
  })
  await noteRelayReach(context, answer)
  switch (answer.kind) {
    case 'done':
      return settle(sql, due, { tokenId: due.tokenId, pendingTokenId: null })
    case 'invalid':
      return settle(sql, due, { errorCode: answer.code })
    case 'refused':
    case 'unreachable':
    case 'failed':
      return due.isOver ? settle(sql, due, { errorCode: EXPIRED_CODE }) : postponeRegistration(sql, due)
  }
}

function settle(sql: Sql, due: DueRegistration, changes: Parameters<typeof commitDeviceChange>[2]) {
  return commitDeviceChange(
    sql,
    due,
    changes,
    ({ pendingTokenId, errorCode }) => pendingTokenId === due.tokenId && errorCode === null,
  )
}
