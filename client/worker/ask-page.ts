/** Open pages of the client, as the worker finds and asks them. */

import type { PageQuestion } from './notification-data.ts'

/** Milliseconds for the answer of a page: browsers let a page in the background sleep. */
const ANSWER_MS_MAX = 1_000

/** Pages of the client; forms of the account have other paths, and may have something typed in them. */
export async function findPages(clients: Clients): Promise<readonly WindowClient[]> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.filter(({ url }) => new URL(url).pathname === '/')
}

/** Asks all pages; returns whether one of them answered. */
export async function askPages(clients: Clients, question: PageQuestion): Promise<boolean> {
  const pages = await findPages(clients)
  if (pages.length === 0) return false
  const answers = pages.map((page) => {
    const { port1, port2 } = new MessageChannel()
    return new Promise<true>((resolve) => {
      port1.onmessage = () => resolve(true)
      page.postMessage(question, [port2])
    })
  })
  const late = new Promise<false>((resolve) => setTimeout(resolve, ANSWER_MS_MAX, false))
  return Promise.race([...answers, late])
}
