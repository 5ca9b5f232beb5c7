/** How the cheap client speaks to a peer. Texts are ASCII. */

/** A connection that only listens. */
export interface Listener {
  close(): void
}

/** A connection that sends to one room. */
export interface Sender {
  /** Resolves when the server has acknowledged the message. */
  send(text: string): Promise<void>
  close(): void
}

/** The clients of one kind of server. */
export interface Dialect {
  /** Resolves once all that is sent to the room from now on arrives. `onText` gets pieces of what was received. */
  listen(index: number, onText: (text: string) => void, onLost: (reason: string) => void): Promise<Listener>
  openSender(onLost: (reason: string) => void): Promise<Sender>
}
