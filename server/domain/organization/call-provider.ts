/** The provider of video calls. */

/** The settings of an operator. */
export interface CallProviderSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** The address for log-ins and tokens, without a slash at its end. */
  readonly url: string
  /** The address of calls. */
  readonly apiUrl: string
}
