/** `keys rotate`: replaces or ends keys that somebody may have read, such as those in a lost backup. */

import { endMailedLinks, renewInvitationKeys } from '../../db/mail/mailed-links.ts'
import { rotateAddressSecret } from '../../db/accounts/signing-secrets.ts'
import { replaceServerKey } from '../../db/personal/web-push.ts'
import type { LocalWriter } from '../actors/local-writer.ts'
import { createApiKey } from '../changes/passwords.ts'
import { endScim } from '../changes/scim/scim-token.ts'
import { endSessions } from '../changes/users/login-sessions.ts'
import { endAllApiKeys } from '../changes/users/replace-api-keys.ts'
import type { UserId } from '../domain/ids.ts'
import { makeServerKey } from '../outbound/web-push-keys.ts'
import { UsageError } from './usage-error.ts'

/** The kinds of keys; see `docs/keys.md`. */
const KEY_KINDS = [
  'addresses',
  'invitations',
  'api-keys',
  'bot-keys',
  'sessions',
  'links',
  'push',
  'scim',
] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** The kinds that `--only` names; all without it. */
export function parseKeyKinds(given: string | undefined): readonly KeyKind[] {
  if (given === undefined) return KEY_KINDS
  const names = new Set(given.split(',').map((name) => name.trim()))
  const kinds = KEY_KINDS.filter((kind) => names.has(kind))
  if (kinds.length !== names.size)
    throw new UsageError(`--only must be one or more of ${KEY_KINDS.join(', ')}`)
  return kinds
}

/** Rotates the kinds in turn; answers how many of each were replaced or ended. */
export async function rotateKeys(
  writer: LocalWriter,
  kinds: readonly KeyKind[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind.replace('-', '_')] = await rotate(writer, kind)
  return counts
}

async function rotate(writer: LocalWriter, kind: KeyKind): Promise<number> {
  const { sql } = writer
  switch (kind) {
    case 'addresses':
      await rotateAddressSecret(sql)
      return 1
    case 'api-keys':
      return endKeys(writer, false)
    case 'bot-keys':
      return endKeys(writer, true)
    case 'sessions':
      return endAllSessions(writer)
    case 'links':
      return endMailedLinks(sql)
    case 'scim':
      return (await endScim(writer)) ? 1 : 0
    case 'push':
      return replaceServerKey(sql, makeServerKey())
    case 'invitations':
      return renewInvitationKeys(sql, createApiKey)
  }
}

/** Ends the API keys of all people, or of all bots. */
async function endKeys(writer: LocalWriter, isOfBots: boolean): Promise<number> {
  const { state } = writer
  const held = (id: UserId) => (state.apiKeyHashes.get(id)?.length ?? 0) + state.namedKeysOf(id).length
  const users = [...state.users.values()].filter(
    ({ id, botType }) => held(id) > 0 && (botType !== null) === isOfBots,
  )
  let count = 0
  for (const { id } of users) {
    count += held(id)
    await endAllApiKeys(writer, id)
  }
  return count
}

async function endAllSessions(writer: LocalWriter): Promise<number> {
  const { loginSessions } = writer.state
  const userIds = [...loginSessions.keys()]
  let count = 0
  for (const userId of userIds) {
    count += loginSessions.get(userId)?.length ?? 0
    await endSessions(writer, userId, () => true)
  }
  return count
}
