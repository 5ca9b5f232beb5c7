/** Makes the folder of the data, or says why it can't be used. */

import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Makes it and those above it, and tries whether it can be written to; throws what is to be told. */
export function makeDataFolder(folder: string): void {
  try {
    // One by one: under a folder that takes none, such as /proc, Node's own way of making several never ends.
    const missing: string[] = []
    for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.push(at)
    for (const one of missing.reverse()) mkdirUnlessThere(one)
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`the folder of DATA_DIR cannot be used: ${folder}`, { cause })
  }
}

function mkdirUnlessThere(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // Another process may have made it meanwhile.
  }
}
