/** The parts of a request and its answer that log-ins use. */

import type { Exchange } from './door.ts'

/** The parts of a request at the door that log-ins use. */
export type LoginExchange = Pick<
  Exchange,
  | 'address'
  | 'claimed'
  | 'network'
  | 'isInOwnNetwork'
  | 'countAccount'
  | 'countSuccess'
  | 'countPassword'
  | 'findSession'
  | 'session'
  | 'openSession'
  | 'closeSession'
  | 'checkToken'
  | 'formToken'
  | 'readStep'
  | 'openStep'
  | 'closeStep'
>
