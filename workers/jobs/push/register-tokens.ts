/** Tells the relay of the tokens of older apps: of those that are there, and of those that are not any more. */

import { findNextDue, type NextDue } from '../../../db/push-devices.ts'
import { claimTokens, type DueToken, postponeToken, settleToken } from '../../../db/push-tokens.ts'
import type { TokenKind } from '../../../server/domain/push-devices.ts'
import type { PushContext } from './push-context.ts'
import { callRelay } from './push-relay.ts'

/** How the relay calls who delivers. */
export const TOKEN_KIND_NUMBERS: Readonly<Record<TokenKind, number>> = { apns: 1, fcm: 2 }

/** Tells the relay of all tokens that are due; answers when the next is. */
export async function registerTokens(context: PushContext): Promise<NextDue | undefined> {
  for (;;) {
    const due = await claimTokens(context.sql)
    if (due.length === 0) return findNextDue(context.sql, 'push_tokens')
    await Promise.all(due.map((one) => register(context, one)))
  }
}

async function register({ sql, relay, organizationId }: PushContext, due: DueToken): Promise<void> {
  const answer = await callRelay(relay, due.isRemoved ? 'unregister' : 'register', {
    realm_uuid: organizationId,
    user_id: due.userId,
    token: due.token,
    token_kind: TOKEN_KIND_NUMBERS[due.kind],
    ...(due.isRemoved || due.appId === null ? {} : { ios_app_id: due.appId }),
  })
  // What the relay does not take or does not know, it would not the next time either.
  const isTold = answer.kind === 'done' || answer.kind === 'invalid'
  return isTold ? settleToken(sql, due) : postponeToken(sql, due)
}
