/** The parts of a request and its answer that log-ins use. */

import type { Exchange } from './door/exchange.ts'

/** The parts of a request at the door that log-ins use. */
export type LoginExchange = Pick<Exchange, 'address' | 'claimed' | 'session' | 'key' | 'limits' | 'cookies'>
