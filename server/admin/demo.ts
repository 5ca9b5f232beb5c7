/**
 * Creates the demo organization and the file with its accounts.
 *
 * One transaction creates all of it: the events of all changes, decided one after another on a state of their own, with
 * their rows and the passwords. So if a start is killed, the next start finds either no demo and creates it, or the
 * whole demo. The accounts are written before the commit, since the keys cannot be read later. The file and the
 * organization share their time of creation: a file without its organization is replaced.
 */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { lockLog } from '../../db/log/append-events.ts'
import { commitEvents } from '../events/append-events.ts'
import type { Sql } from '../../db/connection/connect.ts'
import { readLastEventId } from '../../db/log/event-log.ts'
import { findOrganization } from '../../db/organization/organization.ts'
import { hasSetupLink } from '../../db/accounts/setup-links.ts'
import { loadUsers, passwordStatement } from '../../db/accounts/users.ts'
import { beginBatch, type WriteBatch } from '../../db/log/write-batch.ts'
import { createApiKey, hashApiKey, Passwords } from '../changes/passwords.ts'
import type { EventId } from '../domain/ids.ts'
import { ORGANIZATION, USERS } from './demo-content.ts'
import { type DemoAccount, draftDemo } from './draft-demo.ts'

/** The file's name in the data folder. */
const FILE = 'demo-accounts.json'
const PASSWORD_LENGTH = 16

interface DemoFile {
  readonly organization: string
  /** UNIX milliseconds; its seconds are the organization's time of creation. */
  readonly made_at_ms: number
  readonly accounts: readonly DemoAccount[]
}

/** Creates the demo in an empty database, unless a set-up link was made; returns whether it did. */
export async function makeDemo(sql: Sql, dataFolder: string, passwords = new Passwords()): Promise<boolean> {
  if ((await readLastEventId(sql)) > 0 || (await hasSetupLink(sql))) return false
  const accounts: DemoAccount[] = USERS.map(({ name, fullName, role, owner }) => ({
    email: `${name}@example.com`,
    full_name: fullName,
    role,
    password: owner === undefined ? createApiKey().slice(0, PASSWORD_LENGTH) : null,
    api_key: createApiKey(),
  }))
  const hashes = await Promise.all(
    accounts.map(async ({ password }) => (password === null ? null : passwords.hash(password))),
  )
  const nowMs = Date.now()
  writeAccounts(dataFolder, { organization: ORGANIZATION.name, made_at_ms: nowMs, accounts })
  return beginBatch(sql, async (tx) => {
    if ((await lockLog(tx)) > 0) return false // The admin command line was faster.
    const { events, userIds } = await draftDemo(tx, accounts, Math.floor(nowMs / 1000))
    const after = (writes: WriteBatch) => {
      for (const [index, userId] of userIds.entries()) {
        const hash = hashes[index]
        if (hash) writes.add(passwordStatement(writes.sql, userId, hash))
      }
    }
    await commitEvents(tx, events, { seenId: 0 as EventId }, { after })
    return true
  })
}

/** An active account of the demo. */
export interface ReadDemoAccount {
  readonly email: string
  /** As the demo was made; null for bots. */
  readonly password: string | null
  /** Undefined if the key was changed: then somebody has taken the account over. */
  readonly apiKey: string | undefined
}

/** The active accounts of the demo; undefined if this database has none. */
export async function readDemoAccounts(
  sql: Sql,
  dataFolder: string,
): Promise<readonly ReadDemoAccount[] | undefined> {
  const file = readAccounts(dataFolder)
  if (!file) return undefined
  const organization = await findOrganization(sql)
  if (organization?.createdAt !== Math.floor(file.made_at_ms / 1000)) return undefined
  const users = new Map((await loadUsers(sql)).map((user) => [user.email, user]))
  const accounts = file.accounts.flatMap(({ email, password, api_key: key }) => {
    const user = users.get(email)
    if (!user?.isActive) return []
    const apiKey = user.apiKeyHashes.includes(hashApiKey(key)) ? key : undefined
    return [{ email, password, apiKey }]
  })
  return accounts.length === 0 ? undefined : accounts
}

/** One line about an account. */
export function describeDemoAccount({ email, password, apiKey = '(changed)' }: ReadDemoAccount): string {
  return `${email.padEnd(26)}password ${(password ?? '-').padEnd(PASSWORD_LENGTH)}  API key ${apiKey}`
}

function writeAccounts(dataFolder: string, content: DemoFile): void {
  const path = join(dataFolder, FILE)
  const beginning = `${path}.new`
  const file = openSync(beginning, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beginning, path)
  const folder = openSync(dataFolder, 'r')
  try {
    fsyncSync(folder) // Otherwise a power failure could keep the organization and lose this file's name.
  } finally {
    closeSync(folder)
  }
}

function readAccounts(dataFolder: string): DemoFile | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8')) as DemoFile
  } catch (error) {
    // Without the file, only these lines at the start are lost.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
