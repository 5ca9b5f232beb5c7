/** Devices of users, for their users alone. */

import type { DeviceId, UserId } from '../ids.ts'
import type { DeviceChange, DeviceSecrets } from '../personal/push-devices.ts'
import type { NewWebPush } from '../personal/web-push.ts'
import type { Secret } from '../secret.ts'

export type DeviceFact =
  /** The device's id is the event's. */
  | { readonly type: 'device/add'; readonly userId: UserId }
  | {
      readonly type: 'device/update'
      readonly userId: UserId
      readonly deviceId: DeviceId
      readonly changes: DeviceChange
      /** Only the tables hold it: the log does not store it, so entries that are read have none. */
      readonly secrets?: Secret<DeviceSecrets>
    }
  | { readonly type: 'device/remove'; readonly userId: UserId; readonly deviceId: DeviceId }
  /** An older app registered its first token: from now on messages may be pushed to the user. */
  | { readonly type: 'push_token_added'; readonly userId: UserId }
  /** A browser or app subscribed to web push. The subscription's id is the event's; only the tables hold its keys. */
  | { readonly type: 'web_push_added'; readonly userId: UserId; readonly secrets?: Secret<NewWebPush> }
