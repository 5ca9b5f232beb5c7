/** Ties processes to cores, so that each server has its own. */

import { spawnSync } from 'node:child_process'

/** Ties a process to a core with its present threads; later ones inherit it. Returns false without `taskset`. */
export function pinProcess(pid: number, core: number): boolean {
  const { status } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], {
    stdio: 'ignore',
  })
  return status === 0
}
