/**
 * Installs a Node that runs TypeScript and the packages where they are missing, and builds the browser client; used by
 * bin/parley.
 *
 *     node bin/install.mjs [--watch | --install] [ENTRY.ts]
 *
 * Plain JavaScript for any Node from 20 up: it is what runs before there is anything else. Its output is a line with the
 * program of Node and a line with its flags; everything it says to people goes to stderr.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { nodeVersion } from './choose-node.mjs'
import { ensurePackages, omitsDev } from './packages.mjs'
import {
  checkStopped,
  npmInstall,
  readText,
  root,
  runTool,
  say,
  Stop,
  stopWithParent,
  toolchain,
  withLock,
} from './tools.mjs'

// With few processors, each garbage collection would wait until its helper threads get one.
const GC_FLAGS = availableParallelism() > 4 ? [] : ['--single-threaded-gc']

const toolchainStamp = path.join(toolchain, '.parley-stamp')

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

const clientBuild = path.join(root, 'client/build.ts')

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
    writeFileSync(toolchainStamp, `${name} ${nodeVersion}`)
  })
  return node
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
  checkStopped()
  process.stdout.write(`${node}\n${GC_FLAGS.join(' ')}\n`)
} catch (error) {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
