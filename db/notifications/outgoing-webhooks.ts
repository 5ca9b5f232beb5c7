/** Outgoing webhooks: the secret that signs their calls, whether calls fail, and the end of a call. */

import { randomBytes } from 'node:crypto'
import type { OutgoingWebhookSettled } from '../../server/domain/events/bots.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import type { BotOwner } from './pending-notifications.ts'

/** Bytes of a secret, as the specification of Standard Webhooks advises. */
const SECRET_BYTES = 32

/** The facts about a bot that only its calls need. */
export interface WebhookRecord {
  /** `whsec_` and base64. */
  readonly secret: string
  readonly isFailing: boolean
}

/** The record of a bot; the first look makes its secret. */
export async function readWebhook(sql: Sql, botId: UserId): Promise<WebhookRecord> {
  await sql`
    insert into outgoing_webhooks (bot_id, signing_secret) values (${botId}, ${makeSecret()}) on conflict do nothing`
  const [row] = await sql<WebhookRecord[]>`
    select signing_secret as secret, failing_since is not null as "isFailing"
    from outgoing_webhooks where bot_id = ${botId}`
  if (!row) throw new Error(`the bot ${botId} has no record of its webhook`)
  return row
}

/** The owner of a bot. */
export async function readBotOwner(sql: Sql, botId: UserId): Promise<BotOwner> {
  const [row] = await sql<{ ownerId: UserId | null }[]>`
    select bot_owner_id as "ownerId" from users where id = ${botId}`
  return row?.ownerId ?? 0
}

/** Gives a bot another secret, and answers it. */
export async function replaceSecret(sql: Sql, botId: UserId): Promise<string> {
  const secret = makeSecret()
  await sql`
    insert into outgoing_webhooks (bot_id, signing_secret) values (${botId}, ${secret})
    on conflict (bot_id) do update set signing_secret = excluded.signing_secret`
  return secret
}

const makeSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Notes that calls succeed again. */
export async function noteSuccess(sql: Sql, botId: UserId): Promise<void> {
  await sql`update outgoing_webhooks set failing_since = null where bot_id = ${botId} and failing_since is not null`
}

/** Another worker has settled the call, or notified the owner of the failure; nothing is written. */
export class CallSettledError extends Error {
  override readonly name = 'CallSettledError'
}

/** Ends a call together with what is said about it: only once, and the failure begins only once. */
export function storeSettledCall(
  writes: WriteBatch,
  { botId, messageId, failure }: Pick<OutgoingWebhookSettled, 'botId' | 'messageId' | 'failure'>,
): void {
  const { sql } = writes
  const refuse = () => new CallSettledError(`the call of bot ${botId} for message ${messageId} is settled`)
  writes.change(
    sql`delete from pending_notifications
      where way = 'webhook' and user_id = ${botId} and message_id = ${messageId}`,
    1,
    refuse,
  )
  if (failure === 'begins')
    writes.change(
      sql`update outgoing_webhooks set failing_since = now() where bot_id = ${botId} and failing_since is null`,
      1,
      refuse,
    )
  if (failure === 'ends')
    writes.add(sql`update outgoing_webhooks set failing_since = null where bot_id = ${botId}`)
}
