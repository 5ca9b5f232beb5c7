/** How much memory something takes as long as it is held. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of the heap and of buffers that are left of a call, with what it answers. */
export async function keptBytes(make: () => unknown): Promise<number> {
  const bytesBefore = usedBytes()
  const held = { result: await make() }
  const bytes = usedBytes() - bytesBefore
  return 'result' in held ? bytes : 0 // It is read here, and so it is held until now.
}

function usedBytes(): number {
  collectGarbage()
  collectGarbage() // The second one frees the buffers that the first one found.
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
