/** Common behaviour of all processes: report a failure in one line, and stop cleanly on a signal. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../db/connection/unavailable.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './config.ts'
import { isCertificateRefused } from './domain/settings/certificate-codes.ts'
import { type Logger, written } from './logger.ts'
import { findMisspellings } from './misspelt-settings.ts'
import { watchParent } from './services/watch-parent.ts'

/** Milliseconds after which a stopping process is killed: hosts give 30 s. */
const STOP_MS_MAX = 25_000
/** Milliseconds that the parts of a stale process have for closing before it starts anew. */
const STALE_CLOSE_MS_MAX = 10_000

/** The environment of a process, and its standard error. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly stderr: { write(text: string): unknown }
}

/** A started process. */
export interface RunningProcess {
  readonly logger: Logger
  close(): Promise<void>
}

/**
 * Starts a process. SIGTERM, SIGINT, SIGHUP and npm's death close it, only once: a Ctrl-C comes from both the terminal
 * and npm. A signal during the start takes effect after the start, so that nothing is left half done.
 */
export async function runProcess(start: () => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined
  let isStopping = false
  const stop = (reason: string) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref()
    if (!running) return
    running.logger.debug({ reason }, 'stopping')
    void closeAndExit(running)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  watchParent(() => stop('npm is gone'))
  try {
    running = await start()
  } catch (error) {
    exitWithReason(error)
  }
  if (isStopping) await closeAndExit(running)
}

/** Ends the process with one line on standard error that gives the reason. */
export function exitWithReason(error: unknown, code = 1): never {
  process.stderr.write(reasonLine(error))
  process.exit(code)
}

/** The reason of a failure, in one line. */
export function reasonLine(error: unknown): string {
  return `parley: ${reasonOf(error)}\n`
}

/**
 * Replaces a process whose state belongs to another history than the database: its program runs again from the start,
 * under the same process id. `close` ends the programs that it started.
 */
export function startAnew(logger: Logger, reason: string, close?: () => Promise<void>): void {
  logger.fatal({ reason }, 'the database is not as this process knows it: it starts anew')
  const isWritten = written(logger)
  // In a later turn, so that replies to clients are on their way.
  setImmediate(async () => {
    await Promise.race([close?.(), sleep(STALE_CLOSE_MS_MAX)])
    await isWritten
    const [, ...args] = process.argv
    process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...args], process.env)
  })
}

/** Reads the configuration from the environment; reports a misspelt setting, which would have no effect. */
export function readSettings({ env, stderr }: Surroundings = process): Config {
  for (const { name, meant } of findMisspellings(env))
    stderr.write(`parley: ${name} is no setting; is ${meant} meant?\n`)
  return readConfig(env)
}

/** The configuration, which must name a database. */
export function requireDatabase(config: Config): Config & { readonly databaseUrl: string } {
  if (config.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set (npm start brings a database of its own)')
  }
  return { ...config, databaseUrl: config.databaseUrl }
}

async function closeAndExit(running: RunningProcess): Promise<never> {
  try {
    await running.close()
  } catch (error) {
    running.logger.error({ err: error }, 'did not stop cleanly')
    process.exit(1)
  }
  process.exit(0)
}

/** The reason of a failure, above all one of the database, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = codeOf(error)
  if (code === 'TLS_REFUSED')
    return 'DATABASE_URL asks for TLS (sslmode), which the server at its address does not offer'
  const cause = error.cause instanceof Error ? error.cause.message || codeOf(error.cause) : undefined
  const line = `${error.message}${cause ? `: ${cause}` : ''}`.trim().replaceAll(/\s*\n\s*/g, ' ')
  if (isCertificateRefused(error))
    return `the certificate of the database of DATABASE_URL is not accepted (sslmode, sslrootcert): ${line}`
  if (!isUnavailable(error)) return line
  // Errors from the server: no such database or user, a wrong password, too many connections.
  const isRefusal = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')
  return isRefusal
    ? `the database of DATABASE_URL refuses: ${line}`
    : `the database of DATABASE_URL cannot be reached (${code})`
}

function codeOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
