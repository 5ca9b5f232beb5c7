/**
 * Installs a Node that runs TypeScript and the packages where they are missing, and builds the browser client; used by
 * bin/parley.
 *
 *     node bin/install.mjs [--watch | --install] [ENTRY.ts]
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
import { fits, versionToFetch } from './choose-node.mjs'

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
const omitsDev = process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '')
const [first, second] = process.argv.slice(2)
const entry = /^--(watch|install)$/.test(first ?? '') ? second : first
const entryName = entry && path.relative(root, path.resolve(root, entry))

/** Whether the packages are needed that only tests, checks and benchmarks use; they include all others. */
const needsDev = entryName === undefined ? !omitsDev : /^(test|bench)\//.test(entryName)
/** Whether the entry serves the browser client, or is a build step. */
const servesClient =
  entryName === undefined || /^(server\/(start|main)|test\/run|bench\/run)\./.test(entryName)
/** Whether the entry starts the embedded PostgreSQL. */
const startsPostgres = /^server\/(start|admin\/main)\./.test(entryName ?? '') && !process.env.DATABASE_URL

/** Workspaces whose packages are installed where they are needed: `npm ci --omit=dev` leaves them out. */
const WORKSPACES = { client: 'client', postgres: 'packages/postgres' }
/** The parts of an installation in the words of its progress. */
const NAMES = {
  server: "the server's packages",
  client: 'what builds the browser client',
  postgres: 'the embedded PostgreSQL',
  all: 'all packages, about half a minute',
}
const clientBuild = path.join(root, 'client/build.ts')

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

/** The version of the Node that runs the entry. */
const nodeVersion = fits(process.versions.node) ? process.versions.node : versionToFetch(findGlibc())

/** The version of the C library; undefined where it is not glibc. */
function findGlibc() {
  process.report.excludeNetwork = true // It would look up the names of peers.
  return process.report.getReport().header.glibcVersionRuntime
}

/** Returns a Node that fits; installs one under .toolchain if this process's does not. */
async function ensureNode() {
  if (nodeVersion === process.versions.node) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const node = path.join(toolchain, 'node_modules', name, 'bin', 'node')
  const isReady = () => readText(toolchainStamp) === `${name} ${nodeVersion}` && existsSync(node)
  if (isReady()) return node
  await withLock(async () => {
    if (isReady()) return
    say(`fetching Node ${nodeVersion} (once)`)
    const args = ['--no-package-lock', `${name}@${nodeVersion}`]
    const advice = `could not fetch Node ${nodeVersion}; installing Node 22.18, 24 or 26 yourself also helps`
    await npmInstall(args, process.execPath, toolchain, advice)
    // Headers for compilers are a third of it.
    rmSync(path.join(toolchain, 'node_modules', name, 'include'), { recursive: true, force: true })
    writeFileSync(toolchainStamp, `${name} ${nodeVersion}`)
  })
  return node
}

function hashOf(...texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}

/** The packages that this Node is to have. Binaries differ by its major version. */
function describeWanted() {
  const platform = `node ${nodeVersion.split('.')[0]} ${process.platform} ${process.arch}`
  return hashOf(
    platform,
    ...['package.json', 'package-lock.json'].map((file) => readText(path.join(root, file))),
  )
}

/** The installed packages by npm's own record, which it writes last. */
const describeInstalled = () => hashOf(readText(path.join(packages, '.package-lock.json')))

/** The last installation by this launcher: its two descriptions, and the parts that it has. */
function readStamp() {
  const [wanted, installed, ...parts] = readText(packagesStamp).split(' ')
  return { wanted, installed, parts }
}

/** Whether this launcher has installed these parts, and nothing has changed since. */
function isReady(needed) {
  const { wanted, installed, parts } = readStamp()
  const hasAll = parts.includes('all') || needed.every((part) => parts.includes(part))
  return hasAll && wanted === describeWanted() && installed === describeInstalled()
}

/** Whether another tool, such as a host's build, has installed every package of a part at its version with this Node. */
function wasInstalled(part) {
  const { wanted } = readStamp()
  const isWhole =
    existsSync(path.join(packages, '.package-lock.json')) && ['', describeWanted()].includes(wanted)
  if (nodeVersion !== process.versions.node || !isWhole) return false
  const folders = part === 'all' ? ['.', ...Object.values(WORKSPACES)] : [WORKSPACES[part] ?? '.']
  return folders.every((folder) => {
    const manifest = JSON.parse(readText(path.join(root, folder, 'package.json')) || '{}')
    const all = { ...manifest.dependencies, ...(part === 'server' ? {} : manifest.devDependencies) }
    return Object.entries(all).every(isInstalled)
  })
}

function isInstalled([name, range]) {
  const manifest = readText(path.join(packages, name, 'package.json'))
  const version = range.slice(range.lastIndexOf('@') + 1)
  return manifest !== '' && (!/^\d/.test(version) || JSON.parse(manifest).version === version)
}

async function ensurePackages(node, needed) {
  if (isReady(needed) || (omitsDev && needed.every(wasInstalled))) return
  await withLock(async () => {
    if (isReady(needed)) return
    // Former parts stay, such as the packages of a developer when a server starts.
    const parts = [...new Set([...needed, ...readStamp().parts])].filter(
      (part) => part !== 'all' || !omitsDev || needsDev,
    )
    const isAll = parts.includes('all')
    const missing = (isAll ? ['all'] : parts).filter((part) => !isReady([part]) && !wasInstalled(part))
    // npm removes the packages of the other parts together with an old one of the server's.
    if (missing.length > 0) await installParts(missing.includes('server') ? parts : missing, node)
    // tap links its plugins at installation, before it knows which ones package.json wants.
    const tap = path.join(packages, '.bin', 'tap')
    if (isAll && existsSync(tap)) {
      say('preparing the test runner (once)')
      await runTool([node, tap, 'build'], node, root, 'could not prepare the test runner')
    }
    writeFileSync(packagesStamp, [describeWanted(), describeInstalled(), ...parts].join(' '))
  })
}

async function installParts(parts, node) {
  const failure = 'could not install the packages'
  const isAll = parts.includes('all')
  say(`installing ${parts.map((part) => NAMES[part]).join(' and ')} (once)`)
  mkdirSync(packages, { recursive: true })
  writeFileSync(packagesStamp, 'unfinished')
  if (isAll || parts.includes('server'))
    await npmInstall([isAll ? '--include=dev' : '--omit=dev'], node, root, failure)
  // After the server's: without them, npm would remove these again.
  const workspaces = parts.flatMap((part) => (WORKSPACES[part] ? [`--workspace=${WORKSPACES[part]}`] : []))
  if (workspaces.length > 0) await npmInstall(['--include=dev', ...workspaces], node, root, failure)
}

/** Whether the browser client is to be built: its sources or packages have changed since the last build. */
async function needsBuild() {
  // An image has the built client alone.
  if (!servesClient || !existsSync(clientBuild)) return false
  const { stampOf } = await import('../client/stamp.mjs')
  return readText(path.join(root, 'client/dist/stamp')) !== stampOf(root)
}

async function buildClient(node) {
  await withLock(async () => {
    if (await needsBuild())
      await runTool([node, clientBuild], node, root, 'could not build the browser client')
  })
}

stopWithParent()
try {
  if (process.platform === 'win32') throw new Stop('Windows is not supported; please use WSL')
  const node = await ensureNode()
  const isStale = await needsBuild()
  const buildsClient = isStale || (first === '--watch' && servesClient)
  const parts = ['server', ...(buildsClient ? ['client'] : []), ...(startsPostgres ? ['postgres'] : [])]
  await ensurePackages(node, needsDev ? ['all'] : parts)
  if (isStale) await buildClient(node)
  if (stopping) throw new Stop('stopped')
  process.stdout.write(`${node}\n${GC_FLAGS.join(' ')}\n`)
} catch (error) {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
