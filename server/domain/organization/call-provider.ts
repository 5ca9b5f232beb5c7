/** The providers of video calls. */

/** The settings of an operator. */
export interface CallProviderSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** The address for log-ins and tokens, without a slash at its end. */
  readonly url: string
  /** The address of calls. */
  readonly apiUrl: string
}

/** A BigBlueButton server, as an operator names it. */
export interface BigBlueButtonSettings {
  /** Its address without a slash at its end, such as `https://bbb.example.com/bigbluebutton`. */
  readonly url: string
  /** The secret that the server shares with programs (`bbb-conf --secret`). */
  readonly secret: string
}

/** A LiveKit server, and the front end by which people use it. */
export interface LiveKitSettings {
  /** The address of its WebSocket, such as `wss://livekit.example.com`. */
  readonly url: string
  readonly apiKey: string
  /** The secret of that key: it signs tokens. */
  readonly apiSecret: string
  /** The address of a LiveKit Meet, without a slash at its end. */
  readonly meetUrl: string
}
