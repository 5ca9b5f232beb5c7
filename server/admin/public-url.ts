/** The address of the server for commands. */

import type { Config } from '../config.ts'

/** The address of a running server for clients, as far as the settings say. */
export function publicUrlOf({ publicUrl, host, port }: Config): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
