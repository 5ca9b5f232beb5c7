/** Whether the demo, whose accounts were printed at its start, can be reached from elsewhere. */

import { isLocalUrl } from '../domain/settings/local-url.ts'
import type { Services } from './services.ts'

/** True while somebody can log in with an account of the demo, at an address that is not this machine's alone. */
export function isExposedDemo({ demo, publicUrl }: Pick<Services, 'demo' | 'publicUrl'>): boolean {
  return demo !== undefined && demo.accounts.length > 0 && !isLocalUrl(publicUrl)
}
