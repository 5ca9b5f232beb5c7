/** What goes for good with a user who is deactivated: by it somebody could still be reached, or act, in their name. */

import type { UserId } from '../server/domain/ids.ts'
import type { Transaction } from './connect.ts'
import { removePushTokensOf } from './push-tokens.ts'

/** Removes a user's devices and tokens; the relay is told to forget the tokens that it knows by themselves. */
export async function forgetAccess(tx: Transaction, userId: UserId): Promise<void> {
  await tx`
    with devices as (delete from client_devices where user_id = ${userId}),
      tests as (delete from push_tests where user_id = ${userId})
    delete from provider_tokens where user_id = ${userId}`
  await removePushTokensOf(tx, userId)
}
