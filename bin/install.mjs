/**
 * Installs a Node that runs TypeScript and the packages where they are missing, and builds the browser client; used by
 * bin/parley.
 *
 *     node bin/install.mjs [--watch] [ENTRY.ts]
 *
 * Plain JavaScript for any Node from 20 up: it is what runs before there is anything else. Its output is a line with the
 * program of Node and a line with its flags; everything it says to people goes to stderr.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { prunePackages } from './prune-packages.mjs'

const NODE_VERSION = '22.23.3'
const NODE_22_MINOR_MIN = 18 // The first 22 that runs .ts files without a flag.
const LOCK_BEAT_MS = 1_000
const LOCK_STALE_MS = 15_000 // Many missed heartbeats: the owner was killed, and its npm with it.
const LOCK_POLL_MS = 200
const PARENT_POLL_MS = 500

// With few processors, each garbage collection would wait until its helper threads get one.
const GC_FLAGS = availableParallelism() > 4 ? [] : ['--single-threaded-gc']

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const toolchain = path.join(root, '.toolchain')
const toolchainStamp = path.join(toolchain, '.parley-stamp')
const packages = path.join(root, 'node_modules')
const packagesStamp = path.join(packages, '.parley-stamp')
const UNFINISHED = 'unfinished'
const omitsDev = process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '')
const entry = process.argv.slice(2).find((argument) => argument !== '--watch')
/** Whether the packages are needed that only tests, checks and benchmarks use. */
const needsDev =
  entry === undefined ? !omitsDev : /^(test|bench)\//.test(path.relative(root, path.resolve(root, entry)))

/** Whether the entry serves the browser client, or is a build step. */
const servesClient = entry === undefined || /^(server\/(start|main)|test\/run|bench\/run)\./.test(entry)

/** The tool that runs now: npm, or tap. */
let child
let stopping = false

const say = (line) => process.stderr.write(`parley: ${line}\n`)

/** Ends the installation with one line that gives the reason. */
class Stop extends Error {}

// --- Processes ---

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
function stopWithParent() {
  const parent = process.ppid
  const stop = () => {
    stopping = true
    child?.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  setInterval(() => process.ppid !== parent && stop(), PARENT_POLL_MS).unref()
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
const runsTypeScript = nodeMajor > 23 || (nodeMajor === 22 && nodeMinor >= NODE_22_MINOR_MIN)

/** Returns a Node that runs TypeScript; installs one under .toolchain if this process's does not. */
async function ensureNode() {
  if (runsTypeScript) return process.execPath
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
    // Headers for compilers are a third of it.
    rmSync(path.join(toolchain, 'node_modules', name, 'include'), { recursive: true, force: true })
    writeFileSync(toolchainStamp, `${name} ${NODE_VERSION}`)
  })
  return node
}

/**
 * Describes the wanted packages and, by npm's own record, the installed ones: a later `npm install` of another Node
 * changes it.
 */
function describePackages() {
  const major = runsTypeScript ? nodeMajor : 22
  const hash = createHash('sha256').update(`node ${major} ${process.platform} ${process.arch}\n`)
  for (const file of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    hash.update(readText(path.join(root, file))).update('\0')
  }
  return hash.digest('hex')
}

/** The last installation by this launcher: `all`, `production` or undefined. */
const readExtent = () => readText(packagesStamp).split(' ')[1]

function arePackagesReady() {
  const [description, extent] = readText(packagesStamp).split(' ')
  return description === describePackages() && (extent === 'all' || !needsDev)
}

/** Whether another tool, such as a host's build, has installed every package at its version with this Node. */
function werePackagesInstalled() {
  // npm writes its record last, and so does this launcher: without both, an installation may be incomplete.
  const isWhole =
    existsSync(path.join(packages, '.package-lock.json')) && readText(packagesStamp) !== UNFINISHED
  if (!runsTypeScript || !isWhole || (needsDev && readExtent() === 'production')) return false
  const { dependencies, devDependencies } = JSON.parse(readText(path.join(root, 'package.json')))
  const wanted = Object.entries({ ...dependencies, ...(needsDev ? devDependencies : {}) })
  return wanted.every(([name, range]) => {
    const manifest = readText(path.join(packages, name, 'package.json'))
    const version = range.slice(range.lastIndexOf('@') + 1)
    return manifest !== '' && (!/^\d/.test(version) || JSON.parse(manifest).version === version)
  })
}

async function ensurePackages(node) {
  if (arePackagesReady() || (omitsDev && entry !== undefined && werePackagesInstalled())) return
  await withLock(async () => {
    if (arePackagesReady()) return
    // A developer's packages stay complete when a server starts.
    const isAll = needsDev || (!omitsDev && readExtent() === 'all')
    if (!werePackagesInstalled()) {
      say('installing packages (once, about half a minute)')
      // Pruned packages are not whole, which npm does not see.
      if (readExtent() === 'production') rmSync(packages, { recursive: true, force: true })
      mkdirSync(packages, { recursive: true })
      writeFileSync(packagesStamp, UNFINISHED)
      await npmInstall([isAll ? '--include=dev' : '--omit=dev'], node, root, 'could not install the packages')
      if (!isAll) prunePackages(packages)
    } else if (omitsDev) prunePackages(packages)
    // tap links its plugins at installation, before it knows which ones package.json wants.
    const tap = path.join(packages, '.bin', 'tap')
    if (isAll && existsSync(tap)) {
      say('preparing the test runner (once)')
      await runTool([node, tap, 'build'], node, root, 'could not prepare the test runner')
    }
    writeFileSync(packagesStamp, `${describePackages()} ${isAll ? 'all' : 'production'}`)
  })
}

/** Builds the browser client if its sources or packages have changed since the last build. */
async function ensureClient(node) {
  const build = path.join(root, 'client/build.ts')
  if (!existsSync(build) || !servesClient) return
  const { stampOf } = await import('../client/stamp.mjs')
  const isBuilt = () => readText(path.join(root, 'client/dist/stamp')) === stampOf(root)
  if (isBuilt()) return
  await withLock(async () => {
    if (!isBuilt()) await runTool([node, build], node, root, 'could not build the browser client')
  })
}

stopWithParent()
try {
  if (process.platform === 'win32') throw new Stop('Windows is not supported; please use WSL')
  const node = await ensureNode()
  await ensurePackages(node)
  await ensureClient(node)
  if (stopping) throw new Stop('stopped')
  process.stdout.write(`${node}\n${GC_FLAGS.join(' ')}\n`)
} catch (error) {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
