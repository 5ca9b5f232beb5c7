/** The pool's task: reads one page, which may be hostile, within the time and the memory of its thread. */

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { type PageFacts, type PageToRead, readPage } from './read-page.ts'

// Linux applies the priority to this thread alone: people do not wait for a preview.
if (!isMainThread && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** The facts of a page; without one it only loads its program. */
export default function read(page: PageToRead | undefined): PageFacts | undefined {
  return page && readPage(page)
}
