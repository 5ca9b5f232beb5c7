/**
 * The tools that the launcher runs: one at a time in a clone, stopped with the launcher. Plain JavaScript for Node 20.
 */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const LOCK_BEAT_MS = 1_000
const LOCK_STALE_MS = 15_000 // Many missed heartbeats: the owner was killed, and its npm with it.
const LOCK_POLL_MS = 200
const PARENT_POLL_MS = 500

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
export const toolchain = path.join(root, '.toolchain')

export const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** The tool that runs now: npm, or tap. */
let child
let stopping = false

export const say = (line) => process.stderr.write(`parley: ${line}\n`)

/** Ends the installation with one line that gives the reason. */
export class Stop extends Error {}

/** Throws if this process is to end. */
export function checkStopped(message = 'stopped') {
  if (stopping) throw new Stop(message)
}

const canDieWithParent =
  spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0

/** Wraps a command so that the kernel sends it SIGTERM whenever this process dies. */
function dieWithUs(command) {
  return canDieWithParent ? ['setpriv', '--pdeathsig', 'TERM', ...command] : command
}

/** Runs a command as the current child; resolves with its exit code and signal. */
function run([file, ...args], options) {
  return new Promise((resolve, reject) => {
    child = spawn(file, args, options)
    child.once('error', (cause) => reject(new Stop(`cannot run ${file}: ${cause.message}`, { cause })))
    child.once('exit', (code, signal) => resolve({ code, signal }))
    if (stopping) child.kill('SIGTERM')
  })
}

/** Stops the tool with this process, and this process with its parent. */
export function stopWithParent() {
  const parent = process.ppid
  const stop = () => {
    stopping = true
    child?.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  setInterval(() => process.ppid !== parent && stop(), PARENT_POLL_MS).unref()
}

/** Holds a lock folder during the work, so that two commands on a fresh clone install only once. */
export async function withLock(work) {
  const lock = path.join(toolchain, 'lock')
  mkdirSync(toolchain, { recursive: true })
  let waiting = false
  while (true) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    checkStopped()
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LOCK_STALE_MS) {
      // Renaming first lets only one of several waiters remove the stale lock.
      const stale = `${lock}.stale-${process.pid}`
      try {
        renameSync(lock, stale)
        rmSync(stale, { recursive: true, force: true })
      } catch (error) {
        if (error.code !== 'ENOENT') throw error
      }
      continue
    }
    if (!waiting) say('waiting for another command that is installing')
    waiting = true
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS * (0.5 + Math.random())))
  }
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), LOCK_BEAT_MS)
  try {
    await work()
  } finally {
    clearInterval(beat)
    rmSync(lock, { recursive: true, force: true })
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The environment of all child processes: the given Node comes first on PATH. */
function environmentFor(node) {
  const env = { ...process.env }
  env.PATH = [path.dirname(node), env.PATH || '/usr/local/bin:/usr/bin:/bin'].join(path.delimiter)
  return env
}

export async function runTool(command, node, cwd, failure) {
  const env = environmentFor(node)
  // A user without a home folder still needs a place for npm's downloads.
  if (!env.npm_config_cache && !isWritable(env.HOME || homedir())) {
    env.npm_config_cache = path.join(toolchain, 'npm-cache')
  }
  // npm's and tap's summaries are noise here; their errors go to stderr.
  const { code, signal } = await run(dieWithUs(command), { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  checkStopped('stopped before everything was installed')
  if (code !== 0) throw new Stop(`${failure} (${signal ?? `exit code ${code}`})`)
}

export async function npmInstall(args, node, cwd, failure) {
  const execpath = process.env.npm_execpath ?? ''
  const npm = path.basename(execpath) === 'npm-cli.js' ? [node, execpath] : ['npm']
  // --no-save keeps the lock file as committed.
  const quiet = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--no-update-notifier',
    '--loglevel=error',
  ]
  await runTool([...npm, 'install', `--prefix=${cwd}`, ...quiet, ...args], node, cwd, failure)
}
