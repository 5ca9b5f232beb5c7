/** Runs the project's entries as separate processes. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { pollUntil } from '../services/poll-until.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Settings of the environment; of the tests' own only the module loader reaches the process. */
export type Settings = Readonly<Record<string, string>>

/** The exit of a process, with all of its output. */
export interface Ending {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A running entry. */
export interface RunningEntry {
  readonly process: ChildProcess
  /** Its standard output so far. */
  readonly stdout: () => string
  /** Resolves to the first match in its standard output; rejects with the output if it ends before. */
  whenSaid(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ending>
}

/** Starts an entry through bin/parley like npm, in its own process group, which is killed at the end of the test. */
export function startEntry(
  t: TestContext,
  entry: string,
  settings: Settings,
  args: readonly string[] = [],
): RunningEntry {
  return start(t, [join(ROOT, 'bin/parley'), entry, ...args], settings)
}

/** Runs an entry until it exits, as bin/parley does when everything is installed: looking for that takes a while. */
export function runEntry(
  t: TestContext,
  entry: string,
  settings: Settings,
  args: readonly string[] = [],
): Promise<Ending> {
  return start(t, [process.execPath, join(ROOT, entry), ...args], settings).ended
}

function start(t: TestContext, [program = '', ...args]: readonly string[], settings: Settings): RunningEntry {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH, HOME, DRAIN_SECONDS: '0', ...moduleSettings(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  let ending: Ending | undefined
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    ending = { code: code ?? null, stdout, stderr }
    return ending
  })
  t.teardown(async () => {
    if (!ending) child.kill('SIGKILL')
    await ended
  })
  return {
    process: child,
    stdout: () => stdout,
    ended,
    whenSaid: (pattern) =>
      pollUntil(
        `${args[0]} prints ${pattern}`,
        () => {
          const found = pattern.exec(stdout)
          if (!found && ending) throw new Error(`${args[0]} ended: ${JSON.stringify(ending)}`)
          return found
        },
        () => stdout.length,
      ),
  }
}
