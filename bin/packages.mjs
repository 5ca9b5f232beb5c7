/**
 * Installs packages in parts: those of a server, of the browser client, the embedded PostgreSQL, or all with those of
 * developers. A stamp in node_modules says what is there, so that a start without changes asks npm nothing.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { nodeVersion } from './choose-node.mjs'
import { npmInstall, readText, root, runTool, say, withLock } from './tools.mjs'

/** Workspaces whose packages are installed where they are needed: `npm ci --omit=dev` leaves them out. */
const WORKSPACES = { client: 'client', postgres: 'packages/postgres' }
/** The parts of an installation in the words of its progress. */
const NAMES = {
  server: "the server's packages",
  client: 'what builds the browser client',
  postgres: 'the embedded PostgreSQL',
  all: 'all packages, about half a minute',
}
const packages = path.join(root, 'node_modules')
const packagesStamp = path.join(packages, '.parley-stamp')

export const omitsDev =
  process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '')

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

export async function ensurePackages(node, needed) {
  if (isReady(needed) || (omitsDev && needed.every(wasInstalled))) return
  await withLock(async () => {
    if (isReady(needed)) return
    // Former parts stay, such as the packages of a developer when a server starts.
    const parts = [...new Set([...needed, ...readStamp().parts])].filter(
      (part) => part !== 'all' || !omitsDev || needed.includes('all'),
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
