/** The conversation that a page of the client shows. */

import type { Page } from 'playwright-core'

/** Writes a message in it. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByLabel('Message', { exact: true }).press('Enter')
}

/** The texts of the shown messages, in their order; those on their way are not among them. */
export async function textsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('[role=log] [data-id] .rendered').allTextContents()
  return texts.map((text) => text.trim())
}
