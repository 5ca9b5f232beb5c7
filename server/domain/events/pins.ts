/** Pins of messages and topics in their channel. */

import type { NewPin, ShownPin } from '../channels/pins.ts'
import type { ChannelId, PinId } from '../ids.ts'
import type { ClientKind } from './client-kind.ts'

export type PinFact =
  | { readonly type: 'channel_pins/add'; readonly channelId: ChannelId; readonly pin: NewPin }
  | { readonly type: 'channel_pins/remove'; readonly channelId: ChannelId; readonly pinIds: readonly PinId[] }
  /** A pinned topic got another name. */
  | {
      readonly type: 'channel_pins/rename'
      readonly channelId: ChannelId
      readonly pinId: PinId
      readonly topic: string
    }

/** All pins of a channel that its recipients see now, the oldest first. */
export type PinNotice = {
  readonly type: 'channel_pins'
  readonly channelId: ChannelId
  readonly pins: readonly ShownPin[]
  readonly clients?: ClientKind
}
