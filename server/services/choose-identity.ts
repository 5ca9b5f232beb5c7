/** As whom the private PostgreSQL runs: it refuses to run as root. */

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const NOBODY = 65534

/** As whom to run: a prefix of the command, or a user to become; neither to stay as we are. */
export interface Identity {
  prefix: string[]
  user?: { uid: number; gid: number }
}

/**
 * Chooses the first identity that can run the program and reach the folder: PostgreSQL refuses to run as root.
 *
 * @throws with the reasons when none can.
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
      // Outside of it the namespace's "nobody" is still root, who owns the files, without any of root's powers.
      const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
      candidates.push({ prefix: namespace })
      // Folders above that let in nobody but their owner let in the owner.
      const ownerAbove = findOwnerAbove(above)
      if (ownerAbove) candidates.push({ prefix: [], user: ownerAbove })
      candidates.push({ prefix: [], user: { uid: NOBODY, gid: NOBODY } })
    }
  }
  const reasons: string[] = []
  for (const identity of candidates) {
    // Another user is given the folder itself, but has to pass through those above it.
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

/** Returns a folder's owner, unless that is root. */
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

/** Makes a folder, and what is in it, the identity's own. */
export function giveFolderTo({ user }: Identity, folder: string): void {
  if (!user || fs.statSync(folder).uid === user.uid) return
  // The folder itself last: an interrupted pass is then done again.
  const names = [...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }), '']
  for (const name of names) fs.lchownSync(path.join(folder, name), user.uid, user.gid)
}
