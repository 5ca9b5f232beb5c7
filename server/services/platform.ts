/** The platform of this process, as packages of programs are named after it. */

import { createRequire } from 'node:module'
import { familySync, MUSL } from 'detect-libc'

/** Such as `linux-x64`, `linuxmusl-arm64` or `darwin-arm64`: programs for one C library do not run with the other. */
export const PLATFORM = `${process.platform}${familySync() === MUSL ? 'musl' : ''}-${process.arch}`

/** Whether a platform has a program that reads pictures, or one in WebAssembly was installed. */
export function canReadPictures(platform = PLATFORM): boolean {
  const library = find(import.meta.url, 'sharp')
  if (library === undefined) return false
  return [platform, 'wasm32'].some((name) => find(library, `@img/sharp-${name}/package`) !== undefined)
}

/** The file of a package as another file would load it. */
function find(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined
  }
}
