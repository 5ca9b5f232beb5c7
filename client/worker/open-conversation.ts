/** A click on a notification: the newest page of the server shows the conversation, or a new one does. */

/** `fragment` is the address of the conversation in the client, from `#` on. */
export async function openConversation(clients: Clients, fragment: string): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  // Forms of the account have other paths, and may have something typed in them.
  const page = pages.find(({ url }) => new URL(url).pathname === '/')
  if (!page) {
    await clients.openWindow(`/${fragment}`)
    return
  }
  page.postMessage(fragment)
  await page.focus()
}
