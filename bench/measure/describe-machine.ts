/** The machine and the commit of a run. */

import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** Facts that explain absolute figures. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    loadBefore: loadavg()[0],
  }
}

/** The measured commit, with `+` for uncommitted changes; undefined outside a repository. */
export function describeCommit(folder: string): string | undefined {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return undefined // No git or no repository, as in a deployed copy.
  }
}
