/**
 * Replaces the package async-hook-domain, with which tap catches unhandled errors: it follows every promise,
 * including those of the server under test, to name the test. Here an error belongs to the whole file; its
 * stack shows the place.
 */

const domains = []

export class Domain {
  constructor(onerror) {
    this.onerror = onerror
    domains.push(this)
    if (domains.length === 1) process.on('uncaughtException', tell)
  }

  destroy() {
    const place = domains.indexOf(this)
    if (place < 0) return
    domains.splice(place, 1)
    if (domains.length === 0) process.off('uncaughtException', tell)
  }
}

function tell(error, origin) {
  domains[0].onerror(error, origin)
}
