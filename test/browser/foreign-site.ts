/** Another site, whose pages a visitor opens in the browser in which they are logged in here. */

import { createServer } from 'node:http'
import type { TestContext } from '../harness/databases/create-database.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'

/** A running site. */
export interface ForeignSite {
  /** Its origins: another site, and another port of this server's host, which gets and may set the same cookies. */
  readonly origins: { readonly crossSite: string; readonly sameSite: string }
  /** The HTML of its one page. */
  content: string
  /** The `Referer` headers of its visitors. */
  readonly referrers: (string | undefined)[]
}

/** Starts the site; it ends with the test. */
export async function startForeignSite(t: TestContext): Promise<ForeignSite> {
  const referrers: (string | undefined)[] = []
  const site = { content: '', referrers }
  const server = createServer((req, res) => {
    if (req.url === '/favicon.ico') return res.writeHead(404).end()
    referrers.push(req.headers.referer)
    return res
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>Elsewhere</title>${site.content}`)
  })
  const sameSite = await listenLocally(t, server)
  return Object.assign(site, {
    origins: { crossSite: sameSite.replace('127.0.0.1', 'localhost'), sameSite },
  })
}
