/** Chooses the user that runs the private PostgreSQL, which refuses to run as root. */

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const NOBODY = 65534

/** An identity: a prefix for commands, or a user to switch to; neither for the present user. */
export interface Identity {
  prefix: string[]
  user?: { uid: number; gid: number }
}

/**
 * Chooses the first identity that can run the program and enter the folder.
 * @throws with the reasons if none can.
 */
export function chooseIdentity(postgres: string, folder: string): Identity {
  const above = path.dirname(folder)
  const candidates: Identity[] = []
  if (process.getuid?.() !== 0) {
    candidates.push({ prefix: [] })
  } else {
    const owner = findOwner(fs.existsSync(folder) ? folder : above)
    if (owner) {
      candidates.push({ prefix: [], user: owner })
    } else {
      // Outside the namespace, its "nobody" is still root, who owns the files, but without root's powers.
      const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
      candidates.push({ prefix: namespace })
      // Parent folders that admit only their owner admit that owner.
      const ownerAbove = findOwnerAbove(above)
      if (ownerAbove) candidates.push({ prefix: [], user: ownerAbove })
      candidates.push({ prefix: [], user: { uid: NOBODY, gid: NOBODY } })
    }
  }
  const reasons: string[] = []
  for (const identity of candidates) {
    // Another user becomes the owner of the folder itself, but must be able to enter its parents.
    const probe = ['sh', '-c', '"$0" --version >&2 && cd "$1"', postgres, above]
    const { status, stderr, error } = runAs(identity, probe)
    if (status === 0) {
      if (fs.existsSync(folder)) giveFolderTo(identity, folder)
      return identity
    }
    reasons.push((error?.message ?? stderr).trim())
  }
  const advice = 'move the folders to where another user can read them, or set DATABASE_URL'
  throw new Error(`cannot run PostgreSQL in ${above}: ${reasons.join('; ')}; ${advice}`)
}

/** Returns a folder's owner, unless it is root. */
function findOwner(folder: string): { uid: number; gid: number } | undefined {
  const { uid, gid } = fs.statSync(folder)
  return uid === 0 ? undefined : { uid, gid }
}

function findOwnerAbove(folder: string): { uid: number; gid: number } | undefined {
  const above = path.dirname(folder)
  return findOwner(folder) ?? (above === folder ? undefined : findOwnerAbove(above))
}

/** Runs a command as an identity, and waits for its end. */
export function runAs({ prefix, user }: Identity, command: string[]) {
  const [file = '', ...args] = [...prefix, ...command]
  return spawnSync(file, args, { ...user, cwd: '/', encoding: 'utf8' })
}

/** Makes the identity the owner of a folder and its content. */
export function giveFolderTo({ user }: Identity, folder: string): void {
  if (!user || fs.statSync(folder).uid === user.uid) return
  // The folder itself comes last, so that an interrupted pass is repeated.
  const names = [...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }), '']
  for (const name of names) fs.lchownSync(path.join(folder, name), user.uid, user.gid)
}
