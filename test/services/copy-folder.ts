/** Copies a folder with owners and modes, which PostgreSQL checks. */

import { spawnSync } from 'node:child_process'

export function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
