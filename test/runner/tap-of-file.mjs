/**
 * Replaces tap for a test file: the root test of this file instead of the process. Evaluated anew for each
 * file.
 */
import { rootTest } from './root-test.ts'

export default rootTest()
