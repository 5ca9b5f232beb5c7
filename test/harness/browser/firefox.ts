/** A real Firefox without a window, where Debian's package has installed it. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pollUntil } from '../../services/poll-until.ts'
import type { TestContext } from '../databases/create-database.ts'
import { type Bidi, connectBidi } from './bidi.ts'

const PROGRAM = 'firefox-esr'
/** At a free port, with the browser itself and not only its pages. */
const REMOTE_CONTROL = ['--remote-debugging-port=0', '--remote-allow-system-access']

/** Whether the tests of this machine can have a Firefox; a reason to skip them otherwise. */
const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0
export const FIREFOX_OPTIONS = isInstalled
  ? {}
  : { skip: 'firefox-esr is not installed: apt-get install --no-install-recommends firefox-esr' }

/** A tab; what looks for elements waits for them. */
export interface FirefoxPage {
  goto(url: string): Promise<void>
  /** Runs a function of the page, which sees nothing but its arguments; both sides are JSON. */
  evaluate<A extends readonly unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R>
  waitFor(element: Named): Promise<void>
  click(element: Named): Promise<void>
  /** Clicks a field and types into it. */
  type(element: Named, text: string): Promise<void>
  close(): Promise<void>
}

/** An element by its name for assistive technology, and by its role. */
export interface Named {
  readonly role?: string
  readonly name: string
}

export interface Firefox {
  /** Opens an empty tab. */
  open(): Promise<FirefoxPage>
  /** Waits for a tab with an address that ends like this. */
  findPage(addressEnd: string): Promise<FirefoxPage>
  /** Runs a function in the browser itself, which sees its modules; both sides are JSON. */
  evaluateInside<R>(run: () => R | Promise<R>): Promise<R>
  /** Answers for the person whether a site may notify. */
  decideNotifications(origin: string, state: 'granted' | 'denied'): Promise<void>
  /** Ends it as a person does; its profile stays. */
  quit(): Promise<void>
  /** Starts it again with its profile. */
  start(): Promise<void>
}

/** Starts a Firefox with an empty profile and preferences; it is closed with the test. */
export async function startFirefox(
  t: TestContext,
  preferences: Readonly<Record<string, string | number | boolean>>,
): Promise<Firefox> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-firefox-'))
  // Notifications that Firefox draws itself would go after 20 s, at the end of their animation.
  await mkdir(join(folder, 'chrome'))
  await writeFile(join(folder, 'chrome', 'userChrome.css'), '#alertBox { animation: none !important }')
  const all = { ...preferences, 'toolkit.legacyUserProfileCustomizations.stylesheets': true }
  const lines = Object.entries(all).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(folder, 'user.js'), lines.join(''))
  let running = await run(folder)
  t.teardown(async () => {
    await running.quit()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    async open() {
      const { context } = await running.bidi.send('browsingContext.create', { type: 'tab' })
      return pageOf(running.bidi, context)
    },
    findPage: (addressEnd) =>
      pollUntil(`a tab with ${addressEnd}`, async () => {
        const { contexts } = await running.bidi.send('browsingContext.getTree')
        const all = contexts as { readonly context: string; readonly url: string }[]
        const found = all.find(({ url }) => url.endsWith(addressEnd))
        return found && pageOf(running.bidi, found.context)
      }),
    async evaluateInside(run) {
      const { contexts } = await running.bidi.send('browsingContext.getTree', { 'moz:scope': 'chrome' })
      const [window] = contexts as { readonly context: string }[]
      return evaluate(running.bidi, window?.context, run, [])
    },
    async decideNotifications(origin, state) {
      await running.bidi.send('permissions.setPermission', {
        descriptor: { name: 'notifications' },
        state,
        origin,
      })
    },
    quit: () => running.quit(),
    async start() {
      running = await run(folder)
    },
  }
}

async function run(folder: string) {
  const child = spawn(
    PROGRAM,
    ['--headless', '--no-remote', '--profile', folder, ...REMOTE_CONTROL, 'about:blank'],
    {
      // Nothing is written beside the profile, and a crash asks nobody.
      env: { PATH: process.env.PATH, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const url = await pollUntil('Firefox starts', () => {
    if (hasEnded()) throw new Error(`Firefox ends: ${printed}`)
    return /WebDriver BiDi listening on (ws:\S+)/.exec(printed)?.[1]
  })
  const bidi = await connectBidi(url)
  const quit = async () => {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    await bidi.send('browser.close')
    await ended
  }
  return { bidi, quit }
}

/** Runs a function in a page or window, and resolves to its result. */
async function evaluate<A extends readonly unknown[], R>(
  { send }: Bidi,
  context: unknown,
  run: (...args: A) => R | Promise<R>,
  args: A,
): Promise<R> {
  const answer = await send('script.evaluate', {
    expression: `Promise.resolve((${String(run)})(...${JSON.stringify(args)})).then((one) => JSON.stringify(one))`,
    target: { context },
    awaitPromise: true,
  })
  const { result, exceptionDetails } = answer as {
    readonly result?: { readonly value?: string }
    readonly exceptionDetails?: { readonly text: string }
  }
  if (exceptionDetails) throw new Error(exceptionDetails.text)
  return (result?.value === undefined ? undefined : JSON.parse(result.value)) as R
}

function pageOf({ send }: Bidi, context: unknown): FirefoxPage {
  const find = ({ role, name }: Named) =>
    pollUntil(`${role ?? 'an element'} "${name}"`, async () => {
      const locator = { type: 'accessibility', value: { name, ...(role === undefined ? {} : { role }) } }
      const { nodes } = await send('browsingContext.locateNodes', { context, locator })
      return (nodes as { readonly sharedId: string }[])[0]
    })
  const click = async (element: Named) => {
    const { sharedId } = await find(element)
    await send('script.callFunction', {
      functionDeclaration: "(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })",
      arguments: [{ sharedId }],
      target: { context },
      awaitPromise: false,
    })
    const origin = { type: 'element', element: { sharedId } }
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
  }
  return {
    click,
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate: (run, ...args) => evaluate({ send }, context, run, args),
    async waitFor(element) {
      await find(element)
    },
    async type(element, text) {
      await click(element)
      const actions = Array.from(text).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
    },
    async close() {
      await send('browsingContext.close', { context })
    },
  }
}
