/** The push relay, as the operator configures it. */

/** Whether messages are pushed to phones: workers only register devices and send test notifications so far. */
export const PUSHES_MESSAGES: boolean = false

/** The relay's address, and this server's credentials there. */
export interface PushRelaySettings {
  /** Without a slash at its end. */
  readonly url: string
  readonly id: string
  readonly key: string
}
