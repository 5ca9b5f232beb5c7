/** Creates the data folder, or explains why it cannot be used. */

import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Creates the folder and its parents, and checks that it is writable; throws the explanation. */
export function makeDataFolder(folder: string): void {
  try {
    // One by one: in a folder such as /proc that accepts none, Node's recursive mkdir never ends.
    const missing: string[] = []
    for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.push(at)
    for (const one of missing.reverse()) ensureFolder(one)
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`the folder of DATA_DIR cannot be used: ${folder}`, { cause })
  }
}

function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // Another process created it.
  }
}
