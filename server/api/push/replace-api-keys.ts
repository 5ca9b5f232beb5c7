/** A new key in the place of all others: devices that held one of those, and may be lost, are reached no longer. */

import { findDeviceIds, MissingDeviceError } from '../../../db/push-devices.ts'
import { removePushTokensOf } from '../../../db/push-tokens.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import { rotateApiKeys } from '../changes/change-api-keys.ts'
import type { Sending } from '../../changes/sending.ts'

/** Makes one key the only valid one of a user, and removes their devices and tokens with the others. */
export async function replaceApiKeys(
  { sql, committer }: Pick<Sending, 'sql' | 'committer'>,
  userId: UserId,
  key: string,
): Promise<void> {
  await committer.turns.change(`keys of ${userId}`, MissingDeviceError, async () => {
    const deviceIds = await findDeviceIds(sql, userId)
    const removals = deviceIds.map(
      (deviceId): NewEvent => ({
        event: { type: 'device/remove', userId, deviceId },
        audience: { kind: 'users', users: UserSet.of([userId]) },
      }),
    )
    const rotation = rotateApiKeys(userId, key)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        return { events: [...rotation.decide(state).events, ...removals], reply: () => undefined }
      },
    })
  })
  await removePushTokensOf(sql, userId)
}
