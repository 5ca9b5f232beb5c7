/** The connected clients and the devices of all users together. */

import type { Sql, Transaction } from '../connection/connect.ts'

/** Seconds for which a queue counts as connected: nodes note at least each minute that its client is there. */
const CONNECTED_SECONDS = 180
/** Days for which a browser counts as reached by its last delivered push. */
const REACHED_DAYS = 7

/** Numbers of queues and devices. */
export interface Reach {
  readonly queues: { readonly all: number; readonly connected: number; readonly users: number }
  readonly devices: { readonly browsers: number; readonly browsersReached: number; readonly phones: number }
}

/** Counts queues and devices. */
export async function readReach(sql: Sql | Transaction): Promise<Reach> {
  const [row] = await sql<
    Record<'all' | 'connected' | 'users' | 'browsers' | 'browsersReached' | 'phones', number>[]
  >`
    select
      (select count(*) from event_queues) as all,
      (select count(*) from event_queues
        where seen_at > now() - make_interval(secs => ${CONNECTED_SECONDS})) as connected,
      (select count(distinct user_id) from event_queues) as users,
      (select count(*) from web_push_subscriptions) as browsers,
      (select count(*) from web_push_subscriptions
        where last_success_at > now() - make_interval(days => ${REACHED_DAYS})) as "browsersReached",
      (select count(*) from client_devices where token_id is not null)
        + (select count(*) from push_tokens where not is_removed) as phones`
  const { all, connected, users, ...devices } = row as NonNullable<typeof row>
  return { queues: { all, connected, users }, devices }
}
