/** Registers the tokens of older apps with the relay, and removes deleted ones there. */

import type { NextDue } from '../../../db/due-work.ts'
import { findNextRegistration } from '../../../db/personal/push-devices.ts'
import { claimTokens, type DueToken, postponeToken, settleToken } from '../../../db/personal/push-tokens.ts'
import type { TokenKind } from '../../../server/domain/personal/push-devices.ts'
import { noteRelayReach } from './note-relay-answer.ts'
import type { RelayContext } from './push-context.ts'
import { callRelay } from './push-relay.ts'

/** The relay's numbers of the push services. */
export const TOKEN_KIND_NUMBERS: Readonly<Record<TokenKind, number>> = { apns: 1, fcm: 2 }

/** Sends all tokens that are due; returns when the next one is. */
export async function registerTokens(context: RelayContext): Promise<NextDue | undefined> {
  for (;;) {
    const due = await claimTokens(context.sql)
    if (due.length === 0) return findNextRegistration(context.sql, 'push_tokens')
    await Promise.all(due.map((one) => register(context, one)))
  }
}

async function register(context: RelayContext, due: DueToken): Promise<void> {
  const { sql, relay, organizationId } = context
  const answer = await callRelay(relay, due.isRemoved ? 'unregister' : 'register', {
    realm_uuid: organizationId,
    user_id: due.userId,
    token: due.token,
    token_kind: TOKEN_KIND_NUMBERS[due.kind],
    ...(due.isRemoved || due.appId === null ? {} : { ios_app_id: due.appId }),
  })
  await noteRelayReach(context, answer)
  // A retry would not change an answer that the relay rejects the token or does not have it.
  const isSettled = answer.kind === 'done' || answer.kind === 'invalid'
  return isSettled ? settleToken(sql, due) : postponeToken(sql, due)
}
