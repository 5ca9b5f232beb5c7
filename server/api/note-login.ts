/** Notes a log-in that succeeded: its network is known from now on, and it counts little. */

import { storeLoginAddress } from '../../db/accounts/login-addresses.ts'
import type { UserId } from '../domain/ids.ts'
import type { Exchange } from './door/exchange.ts'
import type { Services } from './services.ts'

export async function noteLogin(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  exchange: Pick<Exchange, 'limits'>,
  userId: UserId,
): Promise<void> {
  exchange.limits.countSuccess()
  await storeLoginAddress(sql, userId, exchange.limits.network, clock.nowMs())
}
