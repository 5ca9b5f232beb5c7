/** The bundled Redis: it keeps its append-only file and leaves nothing running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { launchRedis } from '../../server/services/launch-redis.ts'
import { findProcesses } from './find-processes.ts'
import { installRedis } from './install-redis.ts'
import { pollUntil } from './poll-until.ts'

await installRedis(path.join(import.meta.dirname, '../../.toolchain'))

async function launch(dataFolder: string) {
  const launched = await launchRedis({ dataFolder })
  if (!launched) throw new Error('there is a Redis on PATH, but it was not started')
  return launched
}

await t.test(
  'it keeps its data over a restart, in a folder with any name, and close leaves nothing',
  async (t) => {
    const dataFolder = path.join(t.testdir(), 'a folder "new" é')
    const first = await launch(dataFolder)
    const writer = new Redis(first.url)
    await writer.set('key', 'value')
    writer.disconnect()
    await first.close()
    t.notOk(existsSync(path.dirname(first.url)), 'no socket is left')
    t.strictSame(findProcesses(dataFolder), [], 'no process is left')

    const second = await launch(dataFolder)
    const reader = new Redis(second.url)
    t.equal(await reader.get('key'), 'value')
    reader.disconnect()
    await second.close()
  },
)

await t.test('it dies with a killed owner', async (t) => {
  const dataFolder = t.testdir()
  const owner = spawn(process.execPath, [
    path.join(import.meta.dirname, 'launch-and-wait.ts'),
    'redis',
    dataFolder,
  ])
  await once(owner.stdout, 'data')
  t.not(findProcesses(path.join(dataFolder, 'redis')).length, 0)
  owner.kill('SIGKILL')
  t.ok(await pollUntil('nothing is left', () => findProcesses(dataFolder).length === 0))
})

await t.test('without one on PATH there is none', async (t) => {
  const before = process.env.PATH
  process.env.PATH = '/nonexistent'
  t.equal(await launchRedis({ dataFolder: t.testdir() }), undefined)
  process.env.PATH = before
})
