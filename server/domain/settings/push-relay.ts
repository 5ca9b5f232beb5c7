/** The push relay, as the operator configures it. */

/** The relay's address, and this server's credentials there. */
export interface PushRelaySettings {
  /** Without a slash at its end. */
  readonly url: string
  readonly id: string
  readonly key: string
}
