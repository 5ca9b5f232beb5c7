/** Devices that receive push notifications. */

import type { DeviceId } from '../ids.ts'

/** The push service of a device. */
export type TokenKind = 'apns' | 'fcm'

/** A device as its owner sees it: only the ids of its key and tokens, never the secrets. */
export interface Device {
  readonly id: DeviceId
  readonly pushKeyId: number | null
  /** The client's id of the token that the relay has: eight bytes in base64. */
  readonly tokenId: string | null
  /** The client's id of the token that is being registered with the relay. */
  readonly pendingTokenId: string | null
  /** When the pending token was last set, in UNIX seconds. */
  readonly tokenUpdatedAt: number | null
  /** Why the relay rejected the pending token. */
  readonly errorCode: string | null
}

/** The changed fields of a device. */
export type DeviceChange = Partial<Omit<Device, 'id'>>

/** The key that encrypts a device's notifications: the algorithm's number, then the key itself. */
export interface PushKey {
  readonly bytes: Uint8Array
}

/** A device's token as it is sent to the relay. */
export interface TokenRegistration {
  readonly tokenKind: TokenKind
  /** Sealed by the device; only the relay can open it. */
  readonly sealed: string
  readonly relayPublicKey: string
}

/** A device's secrets, which no client gets. */
export interface DeviceSecrets {
  readonly pushKey?: PushKey
  readonly registration?: TokenRegistration
}

/** The number before a key that stands for libsodium's `crypto_secretbox_easy`. */
export const SECRETBOX_NUMBER = 0x31
/** Bytes of a key with its algorithm number. */
export const PUSH_KEY_LENGTH = 33
/** Bytes of a client's id of a token. */
export const TOKEN_ID_LENGTH = 8

/** The result of a test notification. */
export type PushTestOutcome =
  | 'sent'
  /** The relay has none of the devices any more. */
  | 'no-device'
  /** The relay does not serve this organization, because of its credentials, plan or registration. */
  | 'refused'
  | 'unreachable'
  /** The relay failed. */
  | 'failed'
