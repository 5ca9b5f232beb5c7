/** The devices from which users have logged in, as hashes; the latest ones of each user. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { MAIL_NOTICE, type NewDeviceDetails } from '../mail/mails.ts'

/** Devices stored per user: as many as sessions. */
const DEVICES_MAX = 30
/** Mails about new devices that a user gets in an hour: a program that changes its name each time must not flood them. */
const MAILS_PER_HOUR_MAX = 10

/** A log-in from a device. */
export interface DeviceLogin {
  readonly userId: UserId
  readonly deviceHash: string
  /** UNIX seconds. */
  readonly at: number
  /** The address of the account at the log-in: the thief of an account may change it. */
  readonly recipient: string
  readonly isMailWanted: boolean
  readonly details: NewDeviceDetails
}

/** Notes a log-in, and asks for a mail if the device is new and its user wants one; the first device of an account is not new. */
export async function noteDevice(
  sql: Sql,
  { userId, deviceHash, at, recipient, isMailWanted, details }: DeviceLogin,
): Promise<void> {
  await sql`
    with earlier as (
      select count(*) as count, coalesce(bool_or(device_hash = ${deviceHash}), false) as "isThere"
      from login_devices where user_id = ${userId}
    ), noted as (
      insert into login_devices (user_id, device_hash, seen_at) values (${userId}, ${deviceHash}, ${at})
      on conflict (user_id, device_hash) do update set seen_at = excluded.seen_at
    ), removed as (
      delete from login_devices where user_id = ${userId} and device_hash in (
        select device_hash from login_devices where user_id = ${userId} and device_hash in (
          select device_hash from login_devices where user_id = ${userId} and device_hash <> ${deviceHash}
          order by seen_at desc offset ${DEVICES_MAX - 1})
        for update skip locked)
    ), mailed as (
      insert into mails (kind, recipient, details)
      select 'new_device', ${recipient}, ${sql.json({ ...details })} from earlier
      where ${isMailWanted} and count > 0 and not "isThere" and (
        select count(*) from mails where lower(recipient) = lower(${recipient}) and kind = 'new_device'
          and asked_at > now() - interval '1 hour'
      ) < ${MAILS_PER_HOUR_MAX}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from mailed`
}
