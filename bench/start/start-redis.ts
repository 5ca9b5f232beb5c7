/** The Redis of a benchmark, in a temporary folder. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { launchRedis } from '../../server/services/launch-redis.ts'
import { installRedis } from '../../test/services/install-redis.ts'

const TOOLCHAIN = join(import.meta.dirname, '../../.toolchain')

/** PATH with a Redis, which is installed if it has none; at the end, since another Node may be installed beside it. */
export async function pathWithRedis(): Promise<string> {
  return [process.env.PATH, dirname(await installRedis(TOOLCHAIN))].join(delimiter)
}

/** Starts it with the settings of `npm start`. */
export async function startRedis(): Promise<{ readonly url: string; close(): Promise<void> }> {
  process.env.PATH = await pathWithRedis()
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const redis = await launchRedis({ dataFolder: folder })
  if (!redis) throw new Error('a Redis was installed and cannot be found')
  return {
    url: redis.url,
    async close() {
      await redis.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
