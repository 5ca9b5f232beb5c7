/**
 * Runs one of Parley's TypeScript entries on Node 22, fetching that Node and the packages first where they are missing.
 *
 *     node bin/parley.mjs [--watch] ENTRY.ts [arguments...]
 *
 * Plain JavaScript for any Node from 20 up: it is what runs before there is anything else. Without ENTRY it only
 * installs, for a build step. Everything it says goes to stderr: the entry's stdout belongs to the entry.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_VERSION = '22.23.3'
const NODE_22_MINOR_MIN = 18 // The first 22 that runs .ts files without a flag.
const LOCK_BEAT_MS = 1_000
const LOCK_STALE_MS = 15_000 // Many missed heartbeats: the owner was killed, and its npm with it.
const LOCK_POLL_MS = 200
const ANCESTOR_POLL_MS = 500
const SHUTDOWN_MS_MAX = 30_000 // Hosts such as Heroku give a process this long between SIGTERM and SIGKILL.
const STALE_STATE_CODE = 75 // The entry's database was restored (server/run-process.ts): restart it.
const RESTART_WAIT_MS = 500 // A pause for the machine if a process ends again and again.
const SIGNAL_REPEAT_MS = 1_000 // npm forwards a Ctrl-C that the terminal has already sent.

// With few processors, each garbage collection would wait until its helper threads get one.
const GC_FLAGS = availableParallelism() > 4 ? [] : ['--single-threaded-gc']

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const toolchain = path.join(root, '.toolchain')
const toolchainStamp = path.join(toolchain, '.parley-stamp')
const packages = path.join(root, 'node_modules')
const packagesStamp = path.join(packages, '.parley-stamp')
const UNFINISHED = 'unfinished'
const omitsDev = process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '')

/** The current child: npm while installing, then the entry. */
let child
let stopping = false

const say = (line) => process.stderr.write(`parley: ${line}\n`)

/** Ends the launcher with one line that gives the reason. */
class Stop extends Error {}

// --- Processes ---

const canDieWithParent =
  spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0

/**
 * Wraps a command so that the kernel sends it SIGTERM whenever this process dies. The shell in between covers a death
 * before setpriv ran, then replaces itself with the command.
 */
function dieWithUs(command) {
  if (!canDieWithParent) return command
  const guard = '[ "$PPID" = "$0" ] && exec "$@"'
  return ['setpriv', '--pdeathsig', 'TERM', 'sh', '-c', guard, String(process.pid), ...command]
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

function passSignalsThrough() {
  const lastMs = {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      stopping = true
      const nowMs = performance.now()
      if (nowMs - (lastMs[signal] ?? -SIGNAL_REPEAT_MS) < SIGNAL_REPEAT_MS) return
      lastMs[signal] = nowMs
      child?.kill(signal)
    })
  }
}

function readParent(pid) {
  try {
    // "pid (name) state parent ...", where the name may contain spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const nameEnd = stat.lastIndexOf(')')
    return {
      name: stat.slice(stat.indexOf('(') + 1, nameEnd),
      parent: Number(stat.slice(nameEnd + 4).split(' ')[0]),
    }
  } catch {
    return undefined // The process is gone, or there is no /proc.
  }
}

/**
 * Ends the child when npm, or the shell between npm and this process, is killed and cannot signal. Polls, because this
 * process has no pipe to either of them.
 */
function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const firstParent = process.ppid
  const links = []
  let top = firstParent
  for (let above = readParent(top); above && /^(ba|da|a|z|k)?sh$/.test(above.name); above = readParent(top)) {
    links.push({ pid: top, parent: above.parent })
    top = above.parent
  }
  const isIntact = () =>
    process.ppid === firstParent && links.every(({ pid, parent }) => readParent(pid)?.parent === parent)
  // In a container npm may itself be process 1; any other process 1 has adopted this process after npm's death.
  const adopted =
    top === 1 && existsSync('/proc/1/stat') && !/npm|node|MainThread/.test(readParent(1)?.name ?? 'npm')
  const check = () => {
    if (!adopted && isIntact()) return
    clearInterval(timer)
    stopping = true
    child?.kill('SIGTERM')
    setTimeout(() => child?.kill('SIGKILL'), SHUTDOWN_MS_MAX).unref()
  }
  const timer = setInterval(check, ANCESTOR_POLL_MS)
  timer.unref()
  check()
}

// --- Installing ---

/** Holds a lock folder during the work, so that two commands on a fresh clone install only once. */
async function withLock(work) {
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
    if (stopping) throw new Stop('stopped')
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

async function runTool(command, node, cwd, failure) {
  const env = environmentFor(node)
  // A user without a home folder still needs a place for npm's downloads.
  if (!env.npm_config_cache && !isWritable(env.HOME || homedir())) {
    env.npm_config_cache = path.join(toolchain, 'npm-cache')
  }
  // npm's and tap's summaries are noise here; their errors go to stderr.
  const { code, signal } = await run(dieWithUs(command), { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (stopping) throw new Stop('stopped before everything was installed')
  if (code !== 0) throw new Stop(`${failure} (${signal ?? `exit code ${code}`})`)
}

async function npmInstall(args, node, cwd, failure) {
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

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const [nodeMajor, nodeMinor] = process.versions.node.split('.').map(Number)
const isNode22 = nodeMajor === 22 && nodeMinor >= NODE_22_MINOR_MIN

/** Returns a Node 22; installs it under .toolchain if this process runs on another version. */
async function ensureNode() {
  if (isNode22) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const node = path.join(toolchain, 'node_modules', name, 'bin', 'node')
  const isReady = () => readText(toolchainStamp) === `${name} ${NODE_VERSION}` && existsSync(node)
  if (isReady()) return node
  await withLock(async () => {
    if (isReady()) return
    say(`fetching Node ${NODE_VERSION} (once)`)
    const args = ['--no-package-lock', `${name}@${NODE_VERSION}`]
    const advice = `could not fetch Node ${NODE_VERSION}; installing Node 22.${NODE_22_MINOR_MIN} or later yourself also helps`
    await npmInstall(args, process.execPath, toolchain, advice)
    writeFileSync(toolchainStamp, `${name} ${NODE_VERSION}`)
  })
  return node
}

/**
 * Describes the wanted packages and, by npm's own record, the installed ones: a later `npm install` of another Node
 * changes it.
 */
function describePackages() {
  const hash = createHash('sha256').update(`node 22 ${process.platform} ${process.arch}\n`)
  for (const file of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    hash.update(readText(path.join(root, file))).update('\0')
  }
  return hash.digest('hex')
}

function arePackagesReady() {
  const [description, extent] = readText(packagesStamp).split(' ')
  return description === describePackages() && (extent === 'all' || omitsDev)
}

/** Whether another tool, such as a host's build, has installed every package at its version with a Node 22. */
function werePackagesInstalled() {
  // npm writes its record last, and so does this launcher: without both, an installation may be incomplete.
  const isWhole =
    existsSync(path.join(packages, '.package-lock.json')) && readText(packagesStamp) !== UNFINISHED
  if (!isNode22 || !isWhole) return false
  const { dependencies, devDependencies } = JSON.parse(readText(path.join(root, 'package.json')))
  const wanted = Object.entries({ ...dependencies, ...(omitsDev ? {} : devDependencies) })
  return wanted.every(([name, range]) => {
    const manifest = readText(path.join(packages, name, 'package.json'))
    const version = range.slice(range.lastIndexOf('@') + 1)
    return manifest !== '' && (!/^\d/.test(version) || JSON.parse(manifest).version === version)
  })
}

async function ensurePackages(node) {
  if (arePackagesReady() || (omitsDev && werePackagesInstalled())) return
  await withLock(async () => {
    if (arePackagesReady()) return
    if (!werePackagesInstalled()) {
      say('installing packages (once, about half a minute)')
      mkdirSync(packages, { recursive: true })
      writeFileSync(packagesStamp, UNFINISHED)
      await npmInstall([], node, root, 'could not install the packages')
    }
    // tap links its plugins at installation, before it knows which ones package.json wants.
    const tap = path.join(packages, '.bin', 'tap')
    if (!omitsDev && existsSync(tap)) {
      say('preparing the test runner (once)')
      await runTool([node, tap, 'build'], node, root, 'could not prepare the test runner')
    }
    writeFileSync(packagesStamp, `${describePackages()} ${omitsDev ? 'production' : 'all'}`)
  })
}

// --- The entry ---

/**
 * Runs the entry to its end. The entry learns of the launcher's death by a signal if the system can send one, otherwise
 * through its IPC channel.
 */
async function runEntry(node, args) {
  const isWatching = args[0] === '--watch'
  const [entry, ...rest] = isWatching ? args.slice(1) : args
  if (entry === undefined) return { code: 0 }
  const flags = isWatching ? ['--watch', '--watch-preserve-output'] : []
  const command = dieWithUs([node, ...GC_FLAGS, ...flags, path.resolve(root, entry), ...rest])
  const env = environmentFor(node)
  delete env.PARLEY_LAUNCHER
  if (!canDieWithParent) env.PARLEY_LAUNCHER = 'ipc'
  const stdio = ['inherit', 'inherit', 'inherit', ...(canDieWithParent ? [] : ['ipc'])]
  return await run(command, { env, stdio })
}

passSignalsThrough()
watchNpm()
try {
  if (process.platform === 'win32') throw new Stop('Windows is not supported; please use WSL')
  const node = await ensureNode()
  await ensurePackages(node)
  if (stopping) throw new Stop('stopped')
  let ending = await runEntry(node, process.argv.slice(2))
  while (ending.code === STALE_STATE_CODE && !stopping) {
    await new Promise((resolve) => setTimeout(resolve, RESTART_WAIT_MS))
    if (!stopping) ending = await runEntry(node, process.argv.slice(2))
  }
  const { code, signal } = ending
  process.exitCode = code ?? 1
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
} catch (error) {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
