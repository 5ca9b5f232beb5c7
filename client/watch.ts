/**
 * Builds the browser client anew whenever one of its files changes, inside the server's process. `npm run dev` loads this
 * before the server, which then reads the built files again with each page.
 */

import { watch } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** No sources have it: the next ordinary start builds the client anew. */
const STAMP = 'npm run dev'
/** An editor writes a file in several steps. */
const GATHER_MS = 50

// Worker threads load what their process loaded.
if (isMainThread) {
  const { buildFiles, writeClient } = await import('./build.ts')
  const build = async () => {
    try {
      const { files } = await buildFiles({ isForDevelopment: true })
      await writeClient(files, STAMP)
      process.stderr.write('parley: the browser client is built\n')
    } catch (error) {
      // The former build stays.
      process.stderr.write(`parley: the browser client cannot be built: ${String(error)}\n`)
    }
  }
  let last = build()
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (_: string, name: string | null) => {
    if (name?.startsWith('dist')) return
    clearTimeout(timer)
    timer = setTimeout(() => (last = last.then(build)), GATHER_MS)
  }
  for (const folder of ['.', '../packages/client/src', '../packages/look', '../packages/rules'])
    watch(join(import.meta.dirname, folder), { recursive: true }, change).unref()
  await last
}
