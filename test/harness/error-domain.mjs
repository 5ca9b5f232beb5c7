/**
 * In place of the package async-hook-domain, by which tap learns of errors that nobody caught: that follows every
 * promise, those of the server under test too, to name the test. Here the error is the whole file's; its stack tells.
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
