/** The files of a build in a cache of the browser. It is filled once, before the worker is first used. */

/** The page and the hashed files; `client/build.ts` fills them in. */
declare const BUILD: { readonly id: string; readonly paths: readonly string[] }

const PREFIX = 'build-'
const NAME = PREFIX + BUILD.id
const PAGE = '/'
/** Pages that are open when a new build comes still load parts of the one before. */
const BUILDS_MAX = 2
/** On a bad network people see the stored page after this time: its own word on the connection says more. */
const PAGE_WAIT_MS = 3_000
/** The compression does not matter: the browser stores the files as they are. */
const ANY_CODING = { ignoreVary: true }

/** Stores all files, or rejects and stores none; most are in the memory of the browser already. */
export async function storeBuild(): Promise<void> {
  const cache = await caches.open(NAME)
  await cache.addAll(BUILD.paths)
}

/** Deletes all but the newest builds: the browser names them in the order in which they were made. */
export async function dropFormerBuilds(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
  await Promise.all(names.slice(0, -BUILDS_MAX).map((name) => caches.delete(name)))
}

/** The page of the server; the stored one if the server does not answer, is slow, or is out of order. */
export async function loadPage(ask: () => Promise<Response>): Promise<Response> {
  const page = ask()
  const working = page.then(
    (answer) => (answer.status < 500 ? answer : undefined),
    () => undefined,
  )
  const stored = await caches.match(PAGE, { ...ANY_CODING, cacheName: NAME })
  if (!stored) return page
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_WAIT_MS, undefined))
  return (await Promise.race([working, late])) ?? stored
}

/** A file by its name, which has the hash of its content: of any stored build, or of the server. */
export async function findFile(request: Request): Promise<Response> {
  const stored = await caches.match(request, ANY_CODING)
  if (stored) return stored
  const answer = await fetch(request)
  // The catalogue of the one language that this device shows: the build lists none, so that nobody loads them all.
  if (answer.ok && request.url.endsWith('.json')) await (await caches.open(NAME)).put(request, answer.clone())
  return answer
}
