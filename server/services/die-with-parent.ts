/** Ties the life of a private server process to this process's own. */
import { spawnSync } from 'node:child_process'

/**
 * Wraps a command so that the kernel sends it `signal` when this process dies, however it dies.
 *
 * Needs util-linux's setpriv, which every Debian and Ubuntu has; without it the command is returned as it is and
 * outlives a `kill -9` of this process. Must be spawned from the main thread: the kernel watches the thread.
 */
export function dieWithParent(signal: 'INT' | 'TERM', command: string[]): string[] {
  hasSetpriv ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
  if (!hasSetpriv) return command
  // The shell covers our dying before setpriv ran, and then replaces itself by the command.
  const guard = '[ "$PPID" = "$0" ] && exec "$@"'
  return ['setpriv', '--pdeathsig', signal, 'sh', '-c', guard, String(process.pid), ...command]
}

let hasSetpriv: boolean | undefined
