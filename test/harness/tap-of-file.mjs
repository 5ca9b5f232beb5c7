/** In place of tap for a test file: the root of this file alone, rather than of the process. Evaluated for each file anew. */
import { rootTest } from './root-test.ts'

export default rootTest()
