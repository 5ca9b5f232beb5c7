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
const LOCK_STALE_MS = 15_000 // Many missed beats: its owner was killed, and its npm with it.
const LOCK_POLL_MS = 200
const ANCESTOR_POLL_MS = 500
const SHUTDOWN_MS_MAX = 30_000 // What hosts such as Heroku give a process between SIGTERM and SIGKILL.
const STALE_STATE_CODE = 75 // An entry whose database was restored under it (server/run-process.ts): started anew.
const RESTART_WAIT_MS = 500 // So that one that ends again and again leaves the machine some rest.
const SIGNAL_REPEAT_MS = 1_000 // npm passes on a Ctrl-C that the terminal has already sent us.

// Where processors are few, each pause for the garbage would wait until its helping threads are given one.
const GC_FLAGS = availableParallelism() > 4 ? [] : ['--single-threaded-gc']

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const toolchain = path.join(root, '.toolchain')
const toolchainStamp = path.join(toolchain, '.parley-stamp')
const packages = path.join(root, 'node_modules')
const packagesStamp = path.join(packages, '.parley-stamp')
const UNFINISHED = 'unfinished'
const omitsDev = process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '')

/** The process now doing the work: npm while installing, then the entry. */
let child
let stopping = false

const say = (line) => process.stderr.write(`parley: ${line}\n`)

/** Ends with one line that says what is wrong. */
class Stop extends Error {}

// --- Processes ---

const canDieWithParent =
  spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0

/**
 * Wraps a command so that the kernel ends it with SIGTERM when this process dies, however it dies.
 * The shell in between covers our dying before setpriv ran, and then replaces itself by the command.
 */
function dieWithUs(command) {
  if (!canDieWithParent) return command
  const guard = '[ "$PPID" = "$0" ] && exec "$@"'
  return ['setpriv', '--pdeathsig', 'TERM', 'sh', '-c', guard, String(process.pid), ...command]
}

/** Runs a command as the current child and resolves to how it ended. */
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
    // "pid (name) state parent ...", where the name may hold spaces and brackets.
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
 * Ends the child when npm, or the shell between npm and us, was killed without a chance to tell us.
 * Polling, because neither of them is ours to have a pipe to.
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
  // In a container npm may be process 1 itself; any other process 1 has adopted us after npm's death.
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

/** Holds a lock folder while working, so that two commands on a fresh clone install once and not over each other. */
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
      // Renaming first lets only one of several waiters take the stale lock away.
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

/** The environment for everything we run: the given Node comes first on PATH. */
function environmentFor(node) {
  const env = { ...process.env }
  env.PATH = [path.dirname(node), env.PATH || '/usr/local/bin:/usr/bin:/bin'].join(path.delimiter)
  return env
}

async function runTool(command, node, cwd, failure) {
  const env = environmentFor(node)
  // A user without a home of their own still needs somewhere to keep npm's downloads.
  if (!env.npm_config_cache && !isWritable(env.HOME || homedir())) {
    env.npm_config_cache = path.join(toolchain, 'npm-cache')
  }
  // npm's and tap's summaries are noise here; their errors come on stderr.
  const { code, signal } = await run(dieWithUs(command), { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (stopping) throw new Stop('stopped before everything was installed')
  if (code !== 0) throw new Stop(`${failure} (${signal ?? `exit code ${code}`})`)
}

async function npmInstall(args, node, cwd, failure) {
  const execpath = process.env.npm_execpath ?? ''
  const npm = path.basename(execpath) === 'npm-cli.js' ? [node, execpath] : ['npm']
  // --no-save keeps the lock file as it is committed.
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

/** Returns a Node 22, installing it under .toolchain when this process runs on another. */
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

/** Describes what is wanted and, by npm's own record, what is installed: a later `npm install` of another Node shows. */
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

/** Tells whether somebody else, such as a host's build, has installed every package at its version with a Node 22. */
function werePackagesInstalled() {
  // npm writes its record last, and we ours: without them the folder may be half of an interrupted installation.
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
    // tap links its plugins when it is installed, before it knows which ones package.json wants.
    const tap = path.join(packages, '.bin', 'tap')
    if (!omitsDev && existsSync(tap)) {
      say('preparing the test runner (once)')
      await runTool([node, tap, 'build'], node, root, 'could not prepare the test runner')
    }
    writeFileSync(packagesStamp, `${describePackages()} ${omitsDev ? 'production' : 'all'}`)
  })
}

// --- The entry ---

/** Runs the entry to its end; it learns of our death by a signal where the system can, else by its IPC channel. */
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
