/** The admin command line without its process: its arguments, settings and streams are given. */

import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Config } from '../config.ts'
import { type LocalWriter, openLocalWriter } from '../actors/local-writer.ts'
import { findRunningPostgres } from '../services/find-running-postgres.ts'
import { readSettings } from '../run-process.ts'
import type { BackupResult } from './back-up.ts'
import type { CheckResult } from './check.ts'
import type { ComparisonResult } from './compare/compare-exports.ts'
import type { ExportResult } from './export-to-file.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { Imager } from '../../workers/pool/imager.ts'
import { publicUrlOf } from './public-url.ts'
import { HELP } from './help.ts'
import { planImport } from '../changes/imports/dry-run.ts'
import type { SyncResult } from '../changes/sign-on/directory/sync-directory.ts'
import type { ImportWatch } from '../changes/imports/import-watch.ts'
import { type ImportResult, runImport } from '../changes/imports/run-import.ts'
import { openDatabase } from './open-database.ts'
import { Progress } from './progress.ts'
import {
  type Command,
  type DataCommand,
  type ImportCommand,
  isDataCommand,
  type MoveCommand,
  parseCommand,
} from './parse-command.ts'
import type { ImportStep } from '../domain/organization/imports.ts'
import { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { UsageError } from './usage-error.ts'
import type { Terminal } from './read-password.ts'
import { runCommand } from './run-command.ts'
import { runDataCommand } from './run-data-command.ts'
import { runMove } from './run-move.ts'

/** Milliseconds for one picture: an import waits for each. */
const IMAGE_MS_MAX = 20_000

/** The settings and streams of a process. */
interface Process extends Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Writable
}

/** Runs a command, prints its result, and answers the exit code. Commands on data use the streams of this process. */
export async function runAdmin(args: readonly string[], io: Process): Promise<number> {
  const command = parseCommand(args)
  if (command.kind === 'help') {
    io.stdout.write(HELP)
    return 0
  }
  const settings = readSettings(io)
  if (isDataCommand(command)) return runOnData(command, settings, io)
  if (command.kind === 'files move') return runMoving(command, settings, io)
  if (command.kind === 'import') {
    io.stdout.write(`${JSON.stringify(await importFrom(command, settings, io))}\n`)
    return 0
  }
  // Printed only when all is closed, so that a running server is notified before the caller reads it.
  const result = await runOnOrganization(command, settings, io)
  io.stdout.write(`${JSON.stringify(result)}\n`)
  return command.kind === 'ldap sync' && (result as SyncResult).kept_active.length > 0 ? 1 : 0
}

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? 2 : 1
}

async function runOnData(
  command: DataCommand,
  settings: Config,
  { stdout, stderr }: Process,
): Promise<number> {
  const value = await runDataCommand(command, settings)
  // A backup on the standard output leaves no place for anything else.
  const isTaken = command.kind === 'backup' && command.path === '-'
  ;(isTaken ? stderr : stdout).write(`${JSON.stringify(value)}\n`)
  const isWrong =
    ((command.kind === 'check' || command.kind === 'compare') &&
      !(value as CheckResult | ComparisonResult).ok) ||
    ((command.kind === 'backup' || command.kind === 'export') &&
      (value as BackupResult | ExportResult).missing_files > 0)
  return isWrong ? 1 : 0
}

async function runMoving(command: MoveCommand, settings: Config, { stdout }: Process): Promise<number> {
  const result = await runMove(command, settings)
  stdout.write(`${JSON.stringify(result)}\n`)
  return result.failed.length > 0 ? 1 : 0
}

async function importFrom(command: ImportCommand, settings: Config, io: Process): Promise<object> {
  const { path, isDry, reportPath } = command
  // Before the work, which may take hours: a report that cannot be written would be lost.
  if (reportPath !== undefined) closeSync(openSync(reportPath, 'a', 0o600))
  const progress = new Progress<ImportStep>('import')
  try {
    const run = isDry
      ? planInto(command, settings, { progress, io })
      : importInto(command, settings, progress)
    const { head, report } = await run
    const { product, ...more } = head
    const start = { product, file: path, ...(isDry ? { dry_run: true } : {}), ...more }
    if (reportPath !== undefined)
      writeFileSync(reportPath, `${JSON.stringify({ ...start, ...report.whole() }, null, 2)}\n`)
    return { ...start, ...report.summary() }
  } finally {
    progress.stop()
  }
}

/** Compares with the organization if its database can be reached: it is neither started nor migrated for that. */
async function planInto(
  command: ImportCommand,
  { databaseUrl, dataFolder }: Config,
  { progress, io }: { readonly progress: ImportWatch; readonly io: Process },
): ReturnType<typeof planImport> {
  const url = databaseUrl ?? findRunningPostgres(dataFolder)
  if (url === undefined) return planImport(command, progress)
  let writer: LocalWriter
  try {
    writer = await openLocalWriter(url, 'parley-import')
  } catch (error) {
    io.stderr.write(`import: not compared with the organization here: ${(error as Error).message}\n`)
    return planImport(command, progress)
  }
  try {
    return await planImport(command, progress, writer)
  } finally {
    await writer.close()
  }
}

async function importInto(
  command: ImportCommand,
  settings: Config,
  progress: ImportWatch,
): Promise<ImportResult<object>> {
  const database = await openDatabase(settings)
  try {
    const writer = await openLocalWriter(database.url, 'parley-import')
    try {
      const filing = {
        fileStore: await openFileStore(settings),
        imager: new Imager(IMAGE_MS_MAX),
        ...(command.isFetching ? { fetch: new GuardedFetch(settings.outbound) } : {}),
      }
      try {
        return await runImport(command, writer, { publicUrl: publicUrlOf(settings), watch: progress, filing })
      } finally {
        await filing.imager.close()
      }
    } finally {
      await writer.close()
    }
  } finally {
    await database.close()
  }
}

async function runOnOrganization(
  command: Exclude<Command, DataCommand | MoveCommand | ImportCommand | { kind: 'help' }>,
  settings: Config,
  terminal: Terminal,
): Promise<unknown> {
  const database = await openDatabase(settings)
  try {
    const writer = await openLocalWriter(database.url)
    try {
      const { invitationMinutes, directory } = settings
      return await runCommand(command, writer, {
        publicUrl: publicUrlOf(settings),
        invitationMinutes,
        directory,
        onWarning: (message) => void terminal.stderr.write(`${message}\n`),
        terminal,
      })
    } finally {
      await writer.close()
    }
  } finally {
    await database.close()
  }
}
