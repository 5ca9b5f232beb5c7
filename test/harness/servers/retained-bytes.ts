/** The memory of an object while it is referenced. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes of heap and buffers that a call retains, with its result. */
export async function retainedBytes(make: () => unknown): Promise<number> {
  const bytesBefore = usedBytes()
  const held = { result: await make() }
  const bytes = usedBytes() - bytesBefore
  return 'result' in held ? bytes : 0 // This use keeps it referenced until now.
}

function usedBytes(): number {
  collectGarbage()
  collectGarbage() // The second collection frees buffers that the first one found.
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
