/** The conversation that a page of the client shows. */

import type { Page } from 'playwright-core'
import { pollUntil } from '../services/poll-until.ts'

/** Writes a message in it. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByLabel('Message', { exact: true }).press('Enter')
}

/** Waits until the composer is whole: it takes the focus then, where one writes with a mouse and a keyboard. */
export async function waitForComposer(page: Page): Promise<void> {
  await page.locator('.composer textarea:focus').waitFor()
}

/** The values that a page has stored for times without a connection, or until they are sent. */
export function storedValues(
  page: Page,
  userId: number,
  name: 'outbox' | 'drafts' | 'reading' | 'uploads',
): Promise<readonly unknown[]> {
  return page.evaluate(
    ([database, store]) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open(database)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const reading = opening.result.transaction(store).objectStore(store).getAll()
          reading.onerror = () => reject(reading.error)
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result)
          }
        }
      }),
    [`parley-${userId}`, name] as const,
  )
}

/** Waits until all that has changed by now is drawn, and lists of messages stand where they belong. */
export function waitForFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )
}

/** Waits until the copy for times without a connection has a message. */
export async function waitForCopy(page: Page, userId: number, text: string): Promise<void> {
  await pollUntil('the copy has the message', async () =>
    JSON.stringify(await storedValues(page, userId, 'reading')).includes(`<p>${text}</p>`),
  )
}

/** The texts of the shown messages, in their order; those on their way are not among them. */
export async function textsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('[role=log] [data-id] .rendered').allTextContents()
  return texts.map((text) => text.trim())
}
