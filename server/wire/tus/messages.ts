/** A request of the resumable protocol and its answer, apart from what carries them. */

import type { User } from '../../domain/entities.ts'
import type { RequestBody } from '../request-body.ts'

/** A request whose sender is known. */
export interface TusRequest {
  readonly user: User
  readonly method: string
  /** The key of the upload; undefined for all of them together. */
  readonly key: string | undefined
  /** Those of the protocol. */
  readonly headers: Headers
  readonly body: RequestBody | undefined
  /** Where the client reached the server, without a slash at its end. */
  readonly origin: string
}

/** What is answered. */
export interface TusAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** To be called once, with whether the answer was written to a client that was there. */
  readonly onEnd: ((isSent: boolean) => Promise<void>) | undefined
}
