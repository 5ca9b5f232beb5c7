/** The user of the database's programs, which refuse to run as root. */

import { chownSync, mkdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The name of a user, with its ids if it is another one than that of this process. */
interface ServiceUser {
  readonly name: string
  readonly ids: { readonly uid: number; readonly gid: number } | undefined
}

/** This user, or as root the one that packages of PostgreSQL make, or else `nobody`. */
export function chooseServiceUser(): ServiceUser {
  if (process.getuid?.() !== 0) return { name: userInfo().username, ids: undefined }
  const users = readFileSync('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
    if (uid !== undefined) return { name, ids: { uid: Number(uid), gid: Number(gid) } }
  }
  throw new Error('there is no user that could run PostgreSQL: start the check as another one than root')
}

/** Makes a folder of that user. */
export function makeServiceFolder(folder: string, { ids }: ServiceUser): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (ids) chownSync(folder, ids.uid, ids.gid)
  return folder
}
