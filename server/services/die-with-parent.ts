/** Ties the life of a private service to this process. */
import { spawnSync } from 'node:child_process'

/**
 * Wraps a command so that the kernel sends it `signal` whenever this process dies. Needs util-linux's setpriv, which
 * every Debian and Ubuntu has. Without it, the command is returned unchanged and outlives a `kill -9` of this process.
 * Spawn it from the main thread: the kernel watches the thread.
 */
export function dieWithParent(signal: 'INT' | 'TERM', command: string[]): string[] {
  hasSetpriv ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
  if (!hasSetpriv) return command
  // The shell covers a death before setpriv ran, then replaces itself with the command.
  const guard = '[ "$PPID" = "$0" ] && exec "$@"'
  return ['setpriv', '--pdeathsig', signal, 'sh', '-c', guard, String(process.pid), ...command]
}

let hasSetpriv: boolean | undefined
