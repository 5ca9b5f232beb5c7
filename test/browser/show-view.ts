/** Leads a page of the client to another of its views. */

import type { Page } from 'playwright-core'

/** Changes the part of the address after `#`; resolves when the page has left the former view. */
export async function showView(page: Page, fragment: string): Promise<void> {
  await page.evaluate(async (hash) => {
    if (location.hash === hash) return
    // The page follows before this, so what is drawn next belongs to the new view.
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
    location.hash = hash
    await changed
  }, fragment)
}
