/** The icon of the organization: it cannot be changed yet, so the server draws it from its address. */

import { hash } from 'node:crypto'

/** The address of the icon. */
export function organizationIconUrl(publicUrl: string): string {
  const drawnFrom = hash('md5', new URL(publicUrl).host)
  return `https://secure.gravatar.com/avatar/${drawnFrom}?d=identicon&version=1`
}
