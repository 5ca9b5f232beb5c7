/** The examples in a folder of their own, with the client package as it is published. */

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from '../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf, type TestServer } from '../harness/servers/start-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Builds the package and copies the examples; returns their folder, which is removed with the test. */
export async function installExamples(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  const home = join(modules, 'parley-client')
  const source = join(ROOT, 'packages/client')
  await mkdir(home, { recursive: true })
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', source, '--outDir', join(home, 'dist')])
  await cp(join(source, 'package.json'), join(home, 'package.json'))
  await mkdir(join(modules, '@modelcontextprotocol'))
  for (const name of ['tus-js-client', '@modelcontextprotocol/client'])
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  await cp(join(ROOT, 'examples'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/** A running example. */
export interface RunningExample {
  readonly child: ChildProcess
  /** The first line that matches, as soon as it is printed; throws if the program ends before. */
  line(pattern: RegExp): Promise<string>
  /** The exit code. */
  readonly exited: Promise<number | null>
}

/** A program of the folder with its arguments, and the server that it uses. */
export interface ExampleOptions {
  readonly folder: string
  readonly server: TestServer
  readonly args: readonly [file: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts an example as the bot; it is ended with the test. */
export function startExample(
  t: TestContext,
  { folder, server, args, env = {} }: ExampleOptions,
): RunningExample {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PARLEY_URL: server.node.url,
      PARLEY_EMAIL: emailOf('bot'),
      PARLEY_KEY: ACCOUNTS.get('bot')?.key,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  let isOver = false
  // All that it printed is read by then, unlike at its exit.
  const exited = once(child, 'close').then(([code]) => {
    isOver = true
    return code as number | null
  })
  t.teardown(async () => {
    child.kill()
    await exited
  })
  const line = async (pattern: RegExp) => {
    for (;;) {
      const found = printed.split('\n').find((one) => pattern.test(one))
      if (found !== undefined) return found
      if (isOver) throw new Error(`${args[0]} ended: ${printed}`)
      await Promise.race([once(child.stdout, 'data'), exited])
    }
  }
  return { child, line, exited }
}
