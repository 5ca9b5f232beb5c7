/** The picture of the organization: nobody can choose one yet, so it is drawn from where the server is. */

import { hash } from 'node:crypto'

/** The address of the icon. */
export function organizationIconUrl(publicUrl: string): string {
  const drawnFrom = hash('md5', new URL(publicUrl).host)
  return `https://secure.gravatar.com/avatar/${drawnFrom}?d=identicon&version=1`
}
