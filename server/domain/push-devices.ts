/** Devices that want to be woken by push notifications. */

import type { DeviceId } from './ids.ts'

/** Who delivers to a device. */
export type TokenKind = 'apns' | 'fcm'

/** What users are told of a device of theirs: ids of its key and tokens, never those themselves. */
export interface Device {
  readonly id: DeviceId
  readonly pushKeyId: number | null
  /** The token that the relay knows, by the client's mark of it: eight bytes in base64. */
  readonly tokenId: string | null
  /** The token that the relay is being told of. */
  readonly pendingTokenId: string | null
  /** When the pending token was last set, in UNIX seconds. */
  readonly tokenUpdatedAt: number | null
  /** Why the relay refused the pending token. */
  readonly errorCode: string | null
}

/** What of a device changed. */
export type DeviceChange = Partial<Omit<Device, 'id'>>

/** The key by which a device's notifications are encrypted: the algorithm's number, then the key itself. */
export interface PushKey {
  readonly bytes: Uint8Array
}

/** What the relay is told of a device's token. */
export interface TokenRegistration {
  readonly tokenKind: TokenKind
  /** Sealed by the device for the relay, which alone can read it. */
  readonly sealed: string
  readonly relayPublicKey: string
}

/** What a device is given that nobody is told. */
export interface DeviceSecrets {
  readonly pushKey?: PushKey
  readonly registration?: TokenRegistration
}

/** The number of libsodium's `crypto_secretbox_easy` before a key. */
export const SECRETBOX_NUMBER = 0x31
/** Bytes of a key with its algorithm's number. */
export const PUSH_KEY_LENGTH = 33
/** Bytes of a client's mark of a token. */
export const TOKEN_ID_LENGTH = 8

/** How a test notification ended. */
export type PushTestOutcome =
  | 'sent'
  /** The relay knows none of the devices any more. */
  | 'no-device'
  /** The relay does not serve this organization: its credentials, its plan, its registration. */
  | 'refused'
  | 'unreachable'
  /** The relay failed. */
  | 'failed'
