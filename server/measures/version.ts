/** The version of this program: `package.json` is the one place that has it. */

import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** By semantic versioning, as `0.1.0`. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }).version
