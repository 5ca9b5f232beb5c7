/** Devices for their users. */

import type { Device, DeviceChange } from '../domain/personal/push-devices.ts'
import { INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewDeviceChange`. */
export const DEVICE_FIELDS = {
  push_key_id: orNull(INTEGER),
  push_token_id: orNull(STRING),
  pending_push_token_id: orNull(STRING),
  push_token_last_updated_timestamp: orNull(INTEGER),
  push_registration_error_code: orNull(STRING),
}
const DEVICE_CHANGE = record({}, DEVICE_FIELDS)

/** Schema of a device in `viewDevices`. */
export const DEVICE = record(DEVICE_FIELDS)

/** Devices by their ids, each with all fields. */
export function viewDevices(devices: readonly Device[]): Readonly<Record<string, ValueOf<typeof DEVICE>>> {
  const view = (device: Device) => viewDeviceChange(device) as ValueOf<typeof DEVICE>
  return Object.fromEntries(devices.map((device) => [String(device.id), view(device)]))
}

/** The changed fields of a device. */
export function viewDeviceChange({
  pushKeyId,
  tokenId,
  pendingTokenId,
  tokenUpdatedAt,
  errorCode,
}: DeviceChange): ValueOf<typeof DEVICE_CHANGE> {
  return {
    ...(pushKeyId === undefined ? {} : { push_key_id: pushKeyId }),
    ...(tokenId === undefined ? {} : { push_token_id: tokenId }),
    ...(pendingTokenId === undefined ? {} : { pending_push_token_id: pendingTokenId }),
    ...(tokenUpdatedAt === undefined ? {} : { push_token_last_updated_timestamp: tokenUpdatedAt }),
    ...(errorCode === undefined ? {} : { push_registration_error_code: errorCode }),
  }
}
