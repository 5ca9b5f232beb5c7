/** Resumable uploads from a page of the server, with the cookie of a session alone. */

import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import type * as tusClient from 'tus-js-client'
import { startChromium } from '../harness/browser/chromium.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { startForeignSite } from './foreign-site.ts'
import { logIn, startScene } from './scene.ts'

const MIB = 1024 * 1024
const LENGTH = 12 * MIB
const CUT_AFTER = 5 * MIB
const LIBRARY = fileURLToPath(new URL('../../dist/tus.min.js', import.meta.resolve('tus-js-client')))

const scene = await startScene(t)
const { node } = scene.server
const proxy = await startCuttingProxy(t, node.url)
const browser = await startChromium(t)

/** The outcome of an upload in the page. */
interface Outcome {
  readonly kind: 'done' | 'cut'
  /** The body of the last answer, or the error. */
  readonly text: string
  readonly startedAt: number
}

async function loggedIn(): Promise<{ context: BrowserContext; page: Page }> {
  // The pages to log in have no scripts; those of a client do.
  const context = await browser.newContext({ baseURL: proxy.url, bypassCSP: true })
  const page = await context.newPage()
  await logIn(page, 'member')
  await page.getByRole('heading', { name: 'Account security' }).waitFor()
  return { context, page }
}

/** Uploads the same file each time, with the cookie alone, and goes on where an earlier upload was cut. */
async function upload(page: Page, endpoint = '/api/v1/tus'): Promise<Outcome> {
  await page.addScriptTag({ path: LIBRARY })
  return page.evaluate(
    async ({ length, endpoint }) => {
      const { tus } = globalThis as typeof globalThis & { tus: typeof tusClient }
      const bytes = new Uint8Array(length).map((_, index) => (index * 31 + (index >> 8) * 7) % 251)
      const file = new File([bytes], 'large.bin', { type: 'application/octet-stream', lastModified: 1 })
      let startedAt = -1
      return new Promise<{ kind: 'done' | 'cut'; text: string; startedAt: number }>((resolve) => {
        const upload = new tus.Upload(file, {
          endpoint,
          metadata: { filename: file.name, filetype: file.type },
          retryDelays: null,
          onProgress: (sent) => {
            if (startedAt < 0) startedAt = sent
          },
          onError: (error) => {
            const { originalResponse } = error as tusClient.DetailedError
            resolve({ kind: 'cut', text: originalResponse?.getBody() || error.message, startedAt })
          },
          onSuccess: ({ lastResponse }) => resolve({ kind: 'done', text: lastResponse.getBody(), startedAt }),
        })
        void upload.findPreviousUploads().then(([previous]) => {
          if (previous) upload.resumeFromPreviousUpload(previous)
          upload.start()
        })
      })
    },
    { length: LENGTH, endpoint },
  )
}

t.test(
  '[TUS80] a browser resumes a cut upload in another page, with its session alone, and the file is whole',
  async (t) => {
    const { context, page } = await loggedIn()
    proxy.cutNextAfter(CUT_AFTER)
    t.match(await upload(page), { kind: 'cut' })
    proxy.restore()
    await page.close()
    const next = await context.newPage()
    await next.goto('/accounts/security')
    const requests: { method: string; offset: string | undefined; hasKey: boolean }[] = []
    next.on('request', (request) => {
      const { 'upload-offset': offset, authorization } = request.headers()
      requests.push({ method: request.method(), offset, hasKey: authorization !== undefined })
    })
    const { kind, text, startedAt } = await upload(next)
    t.equal(kind, 'done', text)
    t.ok(startedAt >= MIB, `it went on at ${startedAt}`)
    t.same(
      requests.map(({ method }) => method),
      ['HEAD', 'PATCH'],
      'no second upload was begun',
    )
    t.ok(Number(requests[1]?.offset) >= MIB)
    t.notOk(requests.some(({ hasKey }) => hasKey))
    const { url } = JSON.parse(text) as { url: string }
    const stored = await (await context.request.get(url)).body()
    const bytes = Uint8Array.from({ length: LENGTH }, (_, index) => (index * 31 + (index >> 8) * 7) % 251)
    t.equal(stored.length, LENGTH)
    t.equal(hash('sha256', stored), hash('sha256', bytes))
    await context.close()
  },
)

const countUploads = async () => {
  const [row] = await node.services.sql<{ count: number }[]>`select count(*)::int as count from uploads`
  return row?.count
}

t.test('[TUS81] a page of another origin uploads nothing in the name of its visitor', async (t) => {
  const { context, page } = await loggedIn()
  const before = await countUploads()
  const site = await startForeignSite(t)
  for (const origin of Object.values(site.origins)) {
    await page.goto(origin)
    t.match(
      await upload(page, `${proxy.url}/api/v1/tus`),
      { kind: 'cut', text: /response code: n\/a/ },
      origin,
    )
  }
  t.equal(await countUploads(), before)
  await context.close()
})

t.test('[TUS82] a browser that shows neither the token nor the protocol uploads nothing', async (t) => {
  const { context, page } = await loggedIn()
  const before = await countUploads()
  const answers = await page.evaluate(async () => {
    const form = new FormData()
    form.append('file', new File(['forged'], 'a.txt'))
    const resumable = { method: 'POST', headers: { 'Upload-Length': '1' } }
    const sent = [
      fetch('/api/v1/tus', resumable),
      fetch('/json/user_uploads', { method: 'POST', body: form }),
    ]
    return Promise.all((await Promise.all(sent)).map(async (answer) => [answer.status, await answer.json()]))
  })
  t.match(answers, Array(2).fill([403, { result: 'error', code: 'CSRF_FAILED' }]))
  t.equal(await countUploads(), before)
  await context.close()
})
