/** The addresses to which people send mails that become messages. */

import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { findReplyToken, type ReplyToken, storeReplyToken } from '../../../db/mail/reply-tokens.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import {
  fillMailInPattern,
  type MailInPattern,
  readMailInToken,
} from '../../domain/settings/mail-in-settings.ts'

/** Bytes of a token, and hex digits of it and of a signature. */
const TOKEN_BYTES = 16
/** The use of the derived key, which keeps these addresses apart from other signed ones. */
const KEY_USE = 'mail addresses of channels'

/** The address of a channel: it has no row, its signature proves it. */
export interface ChannelAddress {
  readonly channelId: ChannelId
  /** The user who asked for it: mails are posted by their rights. */
  readonly creatorId: UserId
  /** The sender of the messages. */
  readonly senderId: UserId
}

/** The meaning of an address. */
export type MailTarget =
  | { readonly kind: 'reply'; readonly token: ReplyToken; readonly key: string }
  | { readonly kind: 'channel'; readonly address: ChannelAddress; readonly key: string }

/** Makes an address at which one user can answer one conversation. Nothing but the answer of this call has its token. */
export async function makeReplyAddress(sql: Sql, pattern: MailInPattern, reply: ReplyToken): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  await storeReplyToken(sql, hash('sha256', token), reply)
  return fillMailInPattern(pattern, token)
}

/** The address of a channel, the same each time until the secret of addresses is replaced. */
export async function makeChannelAddress(
  sql: Sql,
  pattern: MailInPattern,
  address: ChannelAddress,
): Promise<string> {
  const ids = idsOf(address)
  return fillMailInPattern(pattern, `${ids}-${signatureOf(await readAddressSecret(sql), ids)}`)
}

/** The meaning of an address by its token; undefined if nobody made it, or it has expired. */
export async function findMailTarget(
  sql: Sql,
  pattern: MailInPattern,
  mailAddress: string,
): Promise<MailTarget | undefined> {
  const text = readMailInToken(pattern, mailAddress)
  if (text === undefined) return undefined
  if (/^[0-9a-f]{32}$/.test(text)) return findTarget(sql, `reply ${hash('sha256', text)}`)
  const [, ids, signature] = /^([0-9a-z]{1,7}-[0-9a-z]{1,7}-[0-9a-z]{1,7})-([0-9a-f]{32})$/.exec(text) ?? []
  if (ids === undefined || signature === undefined) return undefined
  const expected = Buffer.from(signatureOf(await readAddressSecret(sql), ids))
  return timingSafeEqual(Buffer.from(signature), expected) ? findTarget(sql, `channel ${ids}`) : undefined
}

/** The same by the `key` of a former answer. */
export async function findTarget(sql: Sql, key: string): Promise<MailTarget | undefined> {
  const [kind, value = ''] = key.split(' ')
  if (kind === 'reply') {
    const token = await findReplyToken(sql, value)
    return token && { kind, token, key }
  }
  const [channelId, creatorId, senderId] = value.split('-').map((id) => Number.parseInt(id, 36))
  return {
    kind: 'channel',
    address: {
      channelId: channelId as ChannelId,
      creatorId: creatorId as UserId,
      senderId: senderId as UserId,
    },
    key,
  }
}

/** In base 36: the part before the `@` may have 64 characters. */
function idsOf({ channelId, creatorId, senderId }: ChannelAddress): string {
  return [channelId, creatorId, senderId].map((id) => id.toString(36)).join('-')
}

function signatureOf(secret: Uint8Array, ids: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', KEY_USE, 32))
  return createHmac('sha256', key)
    .update(ids)
    .digest('hex')
    .slice(0, 2 * TOKEN_BYTES)
}
