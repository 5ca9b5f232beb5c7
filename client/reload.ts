/** Only in `npm run dev`: loads the page again as soon as the server has another build of it. */

const LOOK_MS = 1_000

// An ordinary start at the same address has left one, which would store each build.
void navigator.serviceWorker?.getRegistrations().then((all) => all.forEach((one) => void one.unregister()))

const own = [...document.querySelectorAll('script[src], link[rel="stylesheet"]')].map(
  (one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '',
)

setInterval(async () => {
  try {
    const answer = await fetch('/', { cache: 'no-store' })
    const page = await answer.text()
    if (answer.ok && !own.every((address) => page.includes(address))) location.reload()
  } catch {
    // The server restarts.
  }
}, LOOK_MS)
