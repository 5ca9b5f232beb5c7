/** Observations of tests, for the check after all of them. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { observedFolder } from '../servers/environment.ts'

const noted = new Set<string>()

/** Records one line, once per process. */
export function note(line: string): void {
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(join(observedFolder(), `${process.pid}.txt`), `${line}\n`)
}
