/** Passkeys: key pairs of people's devices, with which they log in. */

/** A passkey that is added. */
export interface NewPasskey {
  readonly id: string
  /** In base64url, as the authenticator names it. */
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  /** The ways to reach the authenticator. */
  readonly transports: readonly string[]
  readonly name: string
  readonly isSynced: boolean
  /** UNIX seconds. */
  readonly createdAt: number
}

/** The site for which passkeys are made. */
export interface RelyingParty {
  /** Its domain. */
  readonly id: string
  readonly origin: string
}

/** Passkeys of a user: one for each device and each stick. */
export const PASSKEYS_PER_USER_MAX = 20
/** Characters of a passkey's name. */
export const PASSKEY_NAME_LENGTH_MAX = 60
/** Seconds to answer a challenge: people look for their key meanwhile. */
export const CHALLENGE_SECONDS = 300

/**
 * The site of an address; undefined if browsers make no passkeys for it. They do for names, not for network addresses,
 * and without TLS only for this machine.
 */
export function readRelyingParty(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (/^\[|^[0-9.]+$/.test(hostname)) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : undefined
}
