/** What goes for good with a user who is deactivated: by it somebody could still be reached, or act, in their name. */

import type { UserId } from '../server/domain/ids.ts'
import { forgetPushTokensOf } from './push-tokens.ts'
import type { WriteBatch } from './write-batch.ts'

/** Removes a user's devices and tokens; the relay is told to forget the tokens that it knows by themselves. */
export function forgetAccess(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    with devices as (delete from client_devices where user_id = ${userId}),
      tests as (delete from push_tests where user_id = ${userId})
    delete from provider_tokens where user_id = ${userId}`)
  forgetPushTokensOf(writes, userId)
}
