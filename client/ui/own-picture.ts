/** Pictures come from this server only: the page makes no request to others. */

/** A picture's address if this server serves it. */
export function ownPicture(address: string): string | undefined {
  if (address === '' || !URL.canParse(address, location.href)) return undefined
  return new URL(address, location.href).origin === location.origin ? address : undefined
}
