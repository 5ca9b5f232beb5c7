/** A click on a notification: the newest page of the server shows the conversation, or a new one does. */

import { findPages } from './ask-page.ts'

/** `fragment` is the address of the conversation in the client, from `#` on. */
export async function openConversation(clients: Clients, fragment: string): Promise<void> {
  const [page] = await findPages(clients)
  if (!page) {
    await clients.openWindow(`/${fragment}`)
    return
  }
  page.postMessage(fragment)
  await page.focus()
}
