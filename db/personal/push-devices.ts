/** Push devices, which are private to their user. */

import type { DeviceFact } from '../../server/domain/events/devices.ts'
import type { EventOf } from '../../server/domain/events.ts'
import type { DeviceId, EventId, UserId } from '../../server/domain/ids.ts'
import { DEVICES_MAX } from '../../server/domain/limits.ts'
import type { Device, TokenKind, TokenRegistration } from '../../server/domain/personal/push-devices.ts'
import { following } from '../../server/measures/following.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { claimedFor, dueAgainIn, findNextDue } from '../due-work.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** Devices or tokens that one batch sends to the relay. */
export const CLAIMS_MAX = 20
/** Seconds after which a claim expires whose worker hangs. */
export const CLAIM_SECONDS = 30
/** Milliseconds before the first retry at the relay; each further wait is twice as long. */
export const BACKOFF_MS = 500
/** The longest wait before a retry. */
export const BACKOFF_MS_MAX = 600_000
/**
 * Seconds after which a registration is abandoned if the relay stays unreachable: the sealed registration has a date.
 */
const REGISTRATION_SECONDS_MAX = 24 * 3600

/** A user has reached the limit of devices. */
export class TooManyDevicesError extends Error {
  override readonly name = 'TooManyDevicesError'
}

/** A device does not exist, or belongs to another user. */
export class MissingDeviceError extends Error {
  override readonly name = 'MissingDeviceError'
}

/** A token of the device is being registered with the relay. */
export class PendingTokenError extends Error {
  override readonly name = 'PendingTokenError'
}

/** A device with the secrets that its user does not get. */
export interface DeviceRow extends Device {
  readonly tokenKind: TokenKind | null
  readonly pushKey: Uint8Array | null
}

/** Stores a new device. The log is locked until the commit, so the count holds. */
export function storeDevice(writes: WriteBatch, id: InSql<EventId>, userId: UserId): void {
  writes.change(
    writes.sql`
    insert into client_devices (id, user_id) select ${id}, ${userId}
    where (select count(*) from client_devices where user_id = ${userId}) < ${DEVICES_MAX}`,
    1,
    () => new TooManyDevicesError(`user ${userId} has ${DEVICES_MAX} devices`),
  )
}

/** Stores a change of a device; the commit notifies the workers of a registration for the relay. */
export function storeDeviceChange(
  writes: WriteBatch,
  { userId, deviceId, changes, secrets }: EventOf<'device/update', DeviceFact>,
): void {
  const { pushKey, registration } = secrets?.reveal() ?? {}
  const isSettled = changes.pendingTokenId === null || typeof changes.errorCode === 'string'
  const columns = {
    ...columnsOf(changes),
    ...(pushKey ? { push_key: Buffer.from(pushKey.bytes) } : {}),
    ...(registration ? columnsOfRegistration(registration) : {}),
    ...(isSettled
      ? { registration: null, relay_public_key: null, due_at: null, claimed_by: null, tried_since: null }
      : {}),
  }
  if (registration)
    writes.require(
      writes.sql`not exists (select from client_devices
        where id = ${deviceId} and user_id = ${userId} and pending_token_id is not null and error_code is null)`,
      () => new PendingTokenError(`a token of device ${deviceId} is being registered with the relay`),
    )
  writes.change(
    writes.sql`update client_devices set ${writes.sql(columns)} where id = ${deviceId} and user_id = ${userId}`,
    1,
    () => new MissingDeviceError(`user ${userId} has no device ${deviceId}`),
  )
  if (registration) writes.add(wakeStatement(writes.sql, 'register-devices'))
}

/** Rejects with a `MissingDeviceError` if the device's token changed since it was read, or is gone. */
export function requireUnchanged(
  writes: WriteBatch,
  userId: UserId,
  { id, tokenId, pendingTokenId, errorCode }: DeviceRow,
): void {
  writes.require(
    writes.sql`exists (select from client_devices where id = ${id} and user_id = ${userId}
      and token_id is not distinct from ${tokenId} and pending_token_id is not distinct from ${pendingTokenId}
      and error_code is not distinct from ${errorCode})`,
    () => new MissingDeviceError(`device ${id} of user ${userId} is not as it was read`),
  )
}

/** Deletes a device with its key and token. Rejects with a `MissingDeviceError`. */
export function removeDevice(writes: WriteBatch, userId: UserId, deviceId: DeviceId): void {
  writes.change(
    writes.sql`delete from client_devices where id = ${deviceId} and user_id = ${userId}`,
    1,
    () => new MissingDeviceError(`user ${userId} has no device ${deviceId}`),
  )
}

/** A user's devices, oldest first, without any that an event after `asOf` created. */
export function readDevices(sql: Sql, userId: UserId, asOf: EventId): Promise<Device[]> {
  return sql<Device[]>`
    select id, push_key_id as "pushKeyId", token_id as "tokenId", pending_token_id as "pendingTokenId",
      token_updated_at as "tokenUpdatedAt", error_code as "errorCode"
    from client_devices where user_id = ${userId} and id <= ${asOf} order by id`
}

/** One device of a user, with its key. */
export async function findDevice(
  sql: Sql | Transaction,
  userId: UserId,
  deviceId: DeviceId,
): Promise<DeviceRow | undefined> {
  const [row] = await selectDevices(sql, userId, [deviceId])
  return row
}

/** The given devices of a user that can receive notifications. */
export async function readActiveDevices(
  sql: Sql,
  userId: UserId,
  deviceIds: readonly DeviceId[],
): Promise<DeviceRow[]> {
  const rows = await selectDevices(sql, userId, deviceIds)
  return rows.filter(({ tokenId, pushKey }) => tokenId !== null && pushKey !== null)
}

/** The ids of all of a user's devices. */
export async function findDeviceIds(sql: Sql, userId: UserId): Promise<DeviceId[]> {
  const rows = await sql<
    { id: DeviceId }[]
  >`select id from client_devices where user_id = ${userId} order by id`
  return rows.map(({ id }) => id)
}

/** The ids of a user's devices that can receive notifications: the relay has their token. */
export async function findActiveDeviceIds(sql: Sql, userId: UserId): Promise<DeviceId[]> {
  const rows = await sql<{ id: DeviceId }[]>`
    select id from client_devices
    where user_id = ${userId} and token_id is not null and push_key is not null order by id`
  return rows.map(({ id }) => id)
}

function selectDevices(sql: Sql | Transaction, userId: UserId, ids: readonly DeviceId[]) {
  return sql<DeviceRow[]>`
    select id, push_key_id as "pushKeyId", token_id as "tokenId", pending_token_id as "pendingTokenId",
      token_updated_at as "tokenUpdatedAt", error_code as "errorCode", token_kind as "tokenKind",
      push_key as "pushKey"
    from client_devices where user_id = ${userId} and id = any(${[...ids]}::bigint[]) order by id`
}

/** A token to register with the relay. */
export interface DueRegistration extends TokenRegistration {
  readonly deviceId: DeviceId
  readonly userId: UserId
  readonly tokenId: string
  /** Whether its time is over, so that it is abandoned. */
  readonly isOver: boolean
  /** Milliseconds until the next attempt, if this one fails. */
  readonly nextMs: number
}

/** Claims tokens to register with the relay. */
export function claimRegistrations(sql: Sql): Promise<DueRegistration[]> {
  return sql<DueRegistration[]>`
    with due as materialized (
      select id from client_devices where due_at <= now() order by due_at limit ${CLAIMS_MAX} for update skip locked
    )
    update client_devices d set attempts = attempts + 1, tried_since = coalesce(tried_since, now()),
      ${claimedFor(sql, CLAIM_SECONDS)} from due
    where d.id = due.id
    returning d.id as "deviceId", user_id as "userId", pending_token_id as "tokenId", token_kind as "tokenKind",
      registration as sealed, relay_public_key as "relayPublicKey",
      least(${BACKOFF_MS} * 2 ^ least(attempts - 1, 20), ${BACKOFF_MS_MAX})::int as "nextMs",
      tried_since < now() - ${REGISTRATION_SECONDS_MAX} * interval '1 second' as "isOver"`
}

/** Makes a registration due again. */
export async function postponeRegistration(
  sql: Sql,
  { deviceId, sealed, nextMs }: DueRegistration,
): Promise<void> {
  await sql`update client_devices set ${dueAgainIn(sql, nextMs / 1_000)}
    where id = ${deviceId} and registration = ${sealed} and due_at is not null`
}

/** When the next row of a table of relay work is due; undefined for none. */
export const findNextRegistration = (sql: Sql, table: 'client_devices' | 'push_tokens') =>
  findNextDue(sql, sql`${sql(table)} where due_at is not null`)

/** The database channel that notifies workers of push work. */
export const PUSH_WORK_NOTICE = 'parley_push_work'

/** The kinds of push work, by the names of their jobs. */
export type PushWork = 'register-devices' | 'register-tokens' | 'send-push-test'

/** Notifies the workers of work, with the request that it is for; within a transaction, at its commit. */
export async function wakeWorkers(
  sql: Sql | Transaction,
  work: PushWork,
  id: string = crypto.randomUUID(),
  requestId = following.getStore()?.requestId,
): Promise<void> {
  const origin = `${requestId ?? '-'} ${following.getStore()?.span?.traceParent ?? '-'}`
  await sql`select pg_notify(${PUSH_WORK_NOTICE}, ${`${work} ${id} ${origin}`})`
}

/** The same as a statement of a batch, in which the changes of several requests may be. */
export const wakeStatement = (sql: Sql | Transaction, work: PushWork, id: string = crypto.randomUUID()) =>
  sql`select pg_notify(${PUSH_WORK_NOTICE}, ${`${work} ${id}`})`

function columnsOf({ pushKeyId, tokenId, pendingTokenId, tokenUpdatedAt, errorCode }: Partial<Device>) {
  return {
    ...(pushKeyId === undefined ? {} : { push_key_id: pushKeyId }),
    ...(tokenId === undefined ? {} : { token_id: tokenId }),
    ...(pendingTokenId === undefined ? {} : { pending_token_id: pendingTokenId }),
    ...(tokenUpdatedAt === undefined ? {} : { token_updated_at: tokenUpdatedAt }),
    ...(errorCode === undefined ? {} : { error_code: errorCode }),
  }
}

function columnsOfRegistration({ tokenKind, sealed, relayPublicKey }: TokenRegistration) {
  return {
    token_kind: tokenKind,
    registration: sealed,
    relay_public_key: relayPublicKey,
    attempts: 0,
    tried_since: null,
    due_at: new Date(0), // Due at once.
    claimed_by: null,
  }
}
