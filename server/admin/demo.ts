/**
 * The demo organization, and the file with its accounts.
 *
 * Everything of it is one transaction: the events of all its changes, decided one after the other on
 * a state of their own, with the rows they stand for and the passwords. So a start that is killed
 * leaves either no demo, and the next start makes one, or the whole. The accounts are written before
 * the commit, since nothing can tell the keys afterwards; a file without its organization is known by
 * the time of making, which both hold, and is written anew.
 */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { commitEvents, lockLog } from '../../db/append-events.ts'
import type { Sql } from '../../db/connect.ts'
import { readLastEventId } from '../../db/event-log.ts'
import { findOrganization } from '../../db/organization.ts'
import { loadUsers, passwordStatement } from '../../db/users.ts'
import { beginBatch, type WriteBatch } from '../../db/write-batch.ts'
import { createApiKey, hashApiKey, Passwords } from '../changes/passwords.ts'
import type { EventId } from '../domain/ids.ts'
import { ORGANIZATION, USERS } from './demo-content.ts'
import { type DemoAccount, draftDemo } from './draft-demo.ts'

/** The file's name in the data folder. */
const FILE = 'demo-accounts.json'
const PASSWORD_LENGTH = 16

interface DemoFile {
  readonly organization: string
  /** UNIX milliseconds; its seconds are the organization's own time of creation. */
  readonly made_at_ms: number
  readonly accounts: readonly DemoAccount[]
}

/** Makes the demo in a database that holds nothing yet; answers whether it did. */
export async function makeDemo(sql: Sql, dataFolder: string, passwords = new Passwords()): Promise<boolean> {
  if ((await readLastEventId(sql)) > 0) return false
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
    if ((await lockLog(tx)) > 0) return false // Somebody was quicker, by the admin command line.
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

/** The accounts of the demo that still let somebody in, one line each; undefined where this database holds none. */
export async function readDemoAccounts(sql: Sql, dataFolder: string): Promise<string[] | undefined> {
  const file = readAccounts(dataFolder)
  if (!file) return undefined
  const organization = await findOrganization(sql)
  if (organization?.createdAt !== Math.floor(file.made_at_ms / 1000)) return undefined
  const users = new Map((await loadUsers(sql)).map((user) => [user.email, user]))
  const lines = file.accounts.flatMap(({ email, password, api_key }) => {
    const user = users.get(email)
    if (!user?.isActive) return []
    const key = user.apiKeyHashes.includes(hashApiKey(api_key)) ? api_key : '(changed)'
    return [`${email.padEnd(26)}password ${(password ?? '-').padEnd(PASSWORD_LENGTH)}  API key ${key}`]
  })
  return lines.length === 0 ? undefined : lines
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
    fsyncSync(folder) // Else a power cut could keep the organization and lose the name of this file.
  } finally {
    closeSync(folder)
  }
}

function readAccounts(dataFolder: string): DemoFile | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8')) as DemoFile
  } catch (error) {
    // Whoever removes or edits the file only loses the lines at the start.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
