#!/usr/bin/env node
/**
 * The command of the release tarball: `parley [COMMAND] [arguments...]`. Without a command it starts everything, as `npm
 * start` does in a clone. Plain JavaScript, so that an old Node gets a sentence instead of an error of its syntax.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fits } from '../../bin/choose-node.mjs'

const ENTRIES = {
  start: 'server/start.js',
  web: 'server/main.js',
  worker: 'workers/main.js',
  release: 'server/release.js',
  'check-config': 'server/check-config.js',
  admin: 'server/admin/main.js',
}
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const HELP = `Parley ${version}, a team chat server

  parley [start] [--no-demo]  everything on one machine, with a database of its own unless DATABASE_URL is set
  parley release              updates the schema of the database: once before web and worker of a new version
  parley web                  serves clients
  parley worker               runs the jobs
  parley check-config         tries the settings and all that they name
  parley admin COMMAND        organizations, people, backups, imports: parley admin --help
  parley --version

Settings are variables of the environment. The files of uploads and of the own database are in DATA_DIR (./data).
`

/** Ends the program. */
function end(text, code) {
  ;(code === 0 ? process.stdout : process.stderr).write(text)
  process.exit(code)
}

const [first = 'start', ...rest] = process.argv.slice(2)
if (first === '--help' || first === '-h' || first === 'help') end(HELP, 0)
if (first === '--version' || first === '-v') end(`${version}\n`, 0)
if (process.platform === 'win32') end('parley: Windows is not supported; please use WSL\n', 1)
if (!fits(process.versions.node))
  end(`parley: Node ${process.versions.node} does not fit: 22.18, 24 or 26 is needed\n`, 1)
const command = first.startsWith('-') ? 'start' : first
if (!Object.hasOwn(ENTRIES, command)) end(`parley: there is no command '${command}'\n\n${HELP}`, 1)
const args = first.startsWith('-') ? [first, ...rest] : rest

const env = {
  // glibc would give each thread a heap of its own, which keeps what was freed.
  MALLOC_ARENA_MAX: '2',
  // Bytes. By default glibc raises both limits with each large block that is freed, and then holds more memory.
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '262144',
  ...process.env,
  // Under npx the server ends with it, even if npx was killed and can send it no signal.
  ...(process.env.npm_lifecycle_event === undefined ? {} : { PARLEY_PARENT: String(process.ppid) }),
}
// With few processors, each garbage collection would wait until its helper threads get one.
const flags = [...process.execArgv, ...(availableParallelism() > 4 ? [] : ['--single-threaded-gc'])]
const line = [...flags, path.join(root, ENTRIES[command]), ...args]
if (process.execve) process.execve(process.execPath, [process.execPath, ...line], env)
// Node 22 before 22.15 and some platforms cannot become another program.
const child = spawn(process.execPath, line, { env, stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
