/**
 * Builds the browser client anew whenever one of its files changes, inside the server's process. `npm run dev` loads this
 * before the server, which then reads the built files again with each page.
 */

import { isMainThread } from 'node:worker_threads'
import type { BuildResult } from 'esbuild'

/** No sources have it: the next ordinary start builds the client anew. */
const STAMP = 'npm run dev'

// Worker threads load what their process loaded.
if (isMainThread) {
  const { context } = await import('esbuild')
  const { OPTIONS, toFiles, writeClient } = await import('./build.ts')
  const onEnd = async (result: BuildResult<typeof OPTIONS>) => {
    if (result.errors.length > 0) return // The tool has printed them; the former build stays.
    // Compressing takes longer than the build.
    const { files } = await toFiles(result, async ([name, bytes]) => {
      return { name, bytes, gzip: undefined, brotli: undefined }
    })
    await writeClient(files, STAMP)
    process.stderr.write('parley: the browser client is built\n')
  }
  const first = Promise.withResolvers<void>()
  const watching = await context({
    ...OPTIONS,
    minify: false,
    sourcemap: 'inline',
    // It would store each build.
    define: { HAS_WORKER: 'false' },
    inject: ['client/reload.ts'],
    plugins: [
      {
        name: 'write',
        setup: (build) =>
          build.onEnd((result) => onEnd(result as BuildResult<typeof OPTIONS>).finally(first.resolve)),
      },
    ],
  })
  await watching.watch()
  await first.promise
}
