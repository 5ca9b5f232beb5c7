/** Devices as their users see them. */

import type { Device, DeviceChange } from '../domain/push-devices.ts'

/** By the device's id what is known of each. */
export function viewDevices(devices: readonly Device[]): Record<string, object> {
  return Object.fromEntries(devices.map(({ id, ...device }) => [String(id), viewDeviceChange(device)]))
}

/** What of a device changed, or all of it. */
export function viewDeviceChange({
  pushKeyId,
  tokenId,
  pendingTokenId,
  tokenUpdatedAt,
  errorCode,
}: DeviceChange): Record<string, unknown> {
  return {
    ...(pushKeyId === undefined ? {} : { push_key_id: pushKeyId }),
    ...(tokenId === undefined ? {} : { push_token_id: tokenId }),
    ...(pendingTokenId === undefined ? {} : { pending_push_token_id: pendingTokenId }),
    ...(tokenUpdatedAt === undefined ? {} : { push_token_last_updated_timestamp: tokenUpdatedAt }),
    ...(errorCode === undefined ? {} : { push_registration_error_code: errorCode }),
  }
}
