/**
 * Changes a device from a worker, which holds no state: only if it has not changed since it was read. A notice
 * announces the event.
 */

import { appendEvents } from '../../../server/events/append-events.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import {
  type DeviceRow,
  findDevice,
  MissingDeviceError,
  requireUnchanged,
} from '../../../db/personal/push-devices.ts'
import type { WriteBatch } from '../../../db/log/write-batch.ts'
import { owner } from '../../../server/audience/notifier.ts'
import type { DeviceId, UserId } from '../../../server/domain/ids.ts'
import type { DeviceChange } from '../../../server/domain/personal/push-devices.ts'
import { LOG_NOTICE } from '../../../server/log/tail-log.ts'

/** Commits the change if the device has not changed since the worker read it. */
export async function commitDeviceChange(
  sql: Sql,
  { userId, deviceId }: { readonly userId: UserId; readonly deviceId: DeviceId },
  changes: DeviceChange,
  isStill: (device: DeviceRow) => boolean,
): Promise<void> {
  const device = await findDevice(sql, userId, deviceId)
  if (!device || !isStill(device)) return
  const event = { type: 'device/update', userId, deviceId, changes } as const
  const before = (writes: WriteBatch) => {
    requireUnchanged(writes, userId, device)
    writes.add(writes.sql`select pg_notify(${LOG_NOTICE}, '')`)
  }
  try {
    await appendEvents(sql, owner([event]), {}, { before })
  } catch (error) {
    // It has another token by now, which gets its own registration.
    if (!(error instanceof MissingDeviceError)) throw error
  }
}
