/** Data that is deleted when a user is deactivated, because it gives access to or in the name of the user. */

import type { UserId } from '../../server/domain/ids.ts'
import { forgetReplyTokens } from '../mail/reply-tokens.ts'
import { forgetPushTokensOf } from '../personal/push-tokens.ts'
import { removeWebPushesOf } from '../personal/web-push.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Removes a user's devices and tokens; the relay is asked to delete the legacy tokens. */
export function forgetAccess(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    with devices as (delete from client_devices where user_id = ${userId}),
      tests as (delete from push_tests where user_id = ${userId})
    delete from provider_tokens where user_id = ${userId}`)
  forgetReplyTokens(writes, userId)
  removeWebPushesOf(writes, userId)
  forgetPushTokensOf(writes, userId)
}
