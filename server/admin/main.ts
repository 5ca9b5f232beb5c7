/** The admin command line: `npm run -s admin -- COMMAND`. `--help` lists the commands. */

import { exitWithReason, readSettings } from '../run-process.ts'
import type { Config } from '../config.ts'
import type { BackupResult } from './back-up.ts'
import type { CheckResult } from './check.ts'
import { HELP } from './help.ts'
import { openLocalWriter } from '../actors/local-writer.ts'
import { openDatabase } from './open-database.ts'
import {
  type Command,
  type DataCommand,
  isDataCommand,
  type MoveCommand,
  parseCommand,
} from './parse-command.ts'
import { UsageError } from './usage-error.ts'
import { runCommand } from './run-command.ts'
import { runDataCommand } from './run-data-command.ts'
import { runMove } from './run-move.ts'

try {
  const command = parseCommand(process.argv.slice(2))
  if (command.kind === 'help') process.stdout.write(HELP)
  else if (isDataCommand(command)) await runOnData(command)
  else if (command.kind === 'files move') await runMoving(command)
  else await run(command)
} catch (error) {
  exitWithReason(error, error instanceof UsageError ? 2 : 1)
}

async function runOnData(command: DataCommand): Promise<void> {
  const value = await runDataCommand(command, readSettings())
  const result = `${JSON.stringify(value)}\n`
  if (command.kind === 'check' && !(value as CheckResult).ok) process.exitCode = 1
  if (command.kind === 'backup' && (value as BackupResult).missing_files > 0) process.exitCode = 1
  // A backup on the standard output leaves no place for anything else.
  const isTaken = command.kind === 'backup' && command.path === '-'
  ;(isTaken ? process.stderr : process.stdout).write(result)
}

async function runMoving(command: MoveCommand): Promise<void> {
  const result = await runMove(command, readSettings())
  process.stdout.write(`${JSON.stringify(result)}\n`)
  if (result.failed.length > 0) process.exitCode = 1
}

async function run(command: Exclude<Command, DataCommand | MoveCommand | { kind: 'help' }>): Promise<void> {
  const settings = readSettings()
  const database = await openDatabase(settings)
  try {
    const writer = await openLocalWriter(database.url)
    let result: unknown
    try {
      result = await runCommand(command, writer, { ...settings, publicUrl: publicUrlOf(settings) })
    } finally {
      await writer.close()
    }
    // Only now, so that a running server is notified before the caller reads it.
    process.stdout.write(`${JSON.stringify(result)}\n`)
  } finally {
    await database.close()
  }
}

/** The address of a running server for clients, as far as the settings say. */
function publicUrlOf({ publicUrl, host, port }: Config): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
