/** The service that hands push notifications on, as the operator sets it. */

/** Where the relay is, and how this server is known there. */
export interface PushRelaySettings {
  /** Without a slash at its end. */
  readonly url: string
  readonly id: string
  readonly key: string
}
