/** A folder with all that is in it, once more: owners and modes too, which PostgreSQL looks at. */

import { spawnSync } from 'node:child_process'

export function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
