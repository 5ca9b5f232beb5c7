/** Whether an address is that of this machine alone. */

/** Whether the host of an address is a loopback one. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.[0-9]{1,3}){3}$/.test(hostname)
  )
}
