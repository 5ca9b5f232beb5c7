/** Changes a device from a worker, which holds no state: as it is under the log's lock, and told by a notice. */

import { appendEvents, lockLog } from '../../../db/append-events.ts'
import type { Sql } from '../../../db/connect.ts'
import { type DeviceRow, findDevice } from '../../../db/push-devices.ts'
import type { DeviceId, UserId } from '../../../server/domain/ids.ts'
import type { DeviceChange } from '../../../server/domain/push-devices.ts'
import { UserSet } from '../../../server/domain/user-set.ts'
import { LOG_NOTICE } from '../../../server/log/keep-up.ts'

/** Commits the change where the device still is as the worker knew it. */
export async function commitDeviceChange(
  sql: Sql,
  { userId, deviceId }: { readonly userId: UserId; readonly deviceId: DeviceId },
  changes: DeviceChange,
  isStill: (device: DeviceRow) => boolean,
): Promise<void> {
  await sql.begin(async (tx) => {
    const lastId = await lockLog(tx)
    const device = await findDevice(tx, userId, deviceId)
    if (!device || !isStill(device)) return
    const event = { type: 'device/update', userId, deviceId, changes } as const
    await appendEvents(tx, [{ event, audience: { kind: 'users', users: UserSet.of([userId]) } }], lastId)
    await tx`select pg_notify(${LOG_NOTICE}, '')`
  })
}
