/** Whether the demo, whose accounts were printed at its start, can be reached from elsewhere. */

import type { Services } from './services.ts'

/** True while somebody can log in with an account of the demo, at an address that is not this machine's alone. */
export function isExposedDemo({ demo, publicUrl }: Pick<Services, 'demo' | 'publicUrl'>): boolean {
  return demo !== undefined && demo.accounts.length > 0 && !isLocalUrl(publicUrl)
}

/** Whether the host of an address is a loopback one. */
function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.[0-9]{1,3}){3}$/.test(hostname)
  )
}
