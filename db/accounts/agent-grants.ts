/** Grants of people to agents that log in. Everything that opens something is stored as its hash. */

import type { AgentScope } from '../../server/domain/accounts/agent-grants.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A grant, when its code is made. */
export interface NewAgentGrant {
  readonly keyId: string
  readonly userId: UserId
  readonly clientId: string
  readonly redirectUrl: string
  readonly challenge: string
  readonly name: string
  readonly scope: AgentScope
  readonly codeHash: string
  /** UNIX seconds. */
  readonly codeExpiresAt: number
}

/** A grant that a client asks for by its code. */
export interface FoundAgentGrant extends NewAgentGrant {
  /** Whether an earlier request had the code. */
  readonly wasRedeemed: boolean
}

export async function storeAgentGrant(sql: Sql, grant: NewAgentGrant): Promise<void> {
  const { keyId, userId, clientId, redirectUrl, challenge, name, scope, codeHash, codeExpiresAt } = grant
  await sql`
    insert into agent_grants (key_id, user_id, client_id, redirect_url, challenge, name, scope, code_hash, code_expires_at)
    values (${keyId}, ${userId}, ${clientId}, ${redirectUrl}, ${challenge}, ${name}, ${scope}, ${codeHash},
      ${codeExpiresAt})`
}

/** The grant of a code; of several requests with the code, one finds it unused, whatever else it says. */
export async function takeAgentCode(sql: Sql, codeHash: string): Promise<FoundAgentGrant | undefined> {
  const [row] = await sql<FoundAgentGrant[]>`
    update agent_grants g set is_redeemed = true
    from (select key_id, is_redeemed from agent_grants where code_hash = ${codeHash} for update) found
    where g.key_id = found.key_id
    returning g.key_id as "keyId", user_id as "userId", client_id as "clientId", redirect_url as "redirectUrl",
      challenge, name, scope, code_hash as "codeHash", code_expires_at::int as "codeExpiresAt",
      found.is_redeemed as "wasRedeemed"`
  return row
}

/** Stores the first token that renews the key of a grant. */
export async function storeRefreshHash(
  sql: Sql,
  keyId: string,
  hash: string,
  nowSeconds: number,
): Promise<void> {
  await sql`
    update agent_grants set refresh_hash = ${hash}, refreshed_at = ${nowSeconds} where key_id = ${keyId}`
}

/** A grant whose token somebody shows. */
export interface RefreshedGrant {
  readonly keyId: string
  readonly userId: UserId
  readonly clientId: string
  readonly scope: AgentScope
}

/** Replaces the token of a client; undefined if that is not, or no longer, its token. Of two requests at once, one succeeds. */
export async function replaceRefreshHash(
  sql: Sql,
  given: {
    readonly clientId: string
    readonly hash: string
    readonly next: string
    readonly nowSeconds: number
  },
): Promise<RefreshedGrant | undefined> {
  const [row] = await sql<RefreshedGrant[]>`
    update agent_grants
    set refresh_hash = ${given.next}, former_refresh_hash = refresh_hash, refreshed_at = ${given.nowSeconds}
    where refresh_hash = ${given.hash} and client_id = ${given.clientId}
    returning key_id as "keyId", user_id as "userId", client_id as "clientId", scope`
  return row
}

/** The grant of a token that renews, now or formerly, and when it was renewed last, in UNIX seconds. */
export async function findByRefreshHash(
  sql: Sql,
  hash: string,
): Promise<(RefreshedGrant & { readonly isFormer: boolean; readonly refreshedAt: number }) | undefined> {
  const [row] = await sql<(RefreshedGrant & { isFormer: boolean; refreshedAt: number })[]>`
    select key_id as "keyId", user_id as "userId", client_id as "clientId", scope,
      refresh_hash is distinct from ${hash} as "isFormer", refreshed_at::int as "refreshedAt"
    from agent_grants where refresh_hash = ${hash} or former_refresh_hash = ${hash}`
  return row
}

/** Removes grants whose code is over and whose key does not exist, or no longer; some at a time. */
export async function removeOldAgentGrants(sql: Sql, nowSeconds: number, countMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select key_id from agent_grants g
      where code_expires_at < ${nowSeconds} and not exists (select from named_keys k where k.id = g.key_id)
      order by key_id limit ${countMax} for update skip locked
    )
    delete from agent_grants where key_id in (table old)`
  return count
}
