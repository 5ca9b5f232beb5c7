/** Markup that the server rendered and made safe: the only markup that does not come from the client itself. */

import { useLayoutEffect, useRef } from 'preact/hooks'

/** The one script that the page starts itself: the service worker. */
const WORKER = '/service-worker.js'

/**
 * The policy that the page's Content-Security-Policy names; browsers without Trusted Types take the text itself. It makes
 * no script address but that one.
 */
const policy = globalThis.trustedTypes?.createPolicy('parley-html', {
  createHTML: (html) => html,
  createScriptURL: () => WORKER,
})

/** The address of the service worker. */
export function workerUrl(): string {
  return (policy?.createScriptURL('') ?? WORKER) as string
}

interface ServerHtmlProps {
  readonly html: string
  readonly class?: string
  /** Changes the elements before they come into the page, so that nothing is loaded or drawn twice. */
  readonly prepare?: (body: HTMLElement) => void
}

/** Markup as a document of its own, apart from the page. */
export function toDocument(html: string): Document {
  const markup = withoutStyles(html)
  return new DOMParser().parseFromString((policy?.createHTML(markup) ?? markup) as string, 'text/html')
}

export function ServerHtml({ html, class: className, prepare }: ServerHtmlProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { body } = toDocument(html)
    prepare?.(body)
    place.current?.replaceChildren(...body.childNodes)
  }, [html, prepare])
  return <div ref={place} class={className} />
}

/**
 * The policy of the page forbids styles in markup: the columns of tables get classes instead, and the form of formulas that
 * is not shown needs none. The picture of a card is an element, which the link of its title makes needless for screen readers.
 */
function withoutStyles(html: string): string {
  if (!html.includes(' style="')) return html
  return html
    .replaceAll(/<(t[dh]) style="text-align: (\w+);">/g, '<$1 class="to-$2">')
    .replaceAll(/(<span[^>]*?) style="[^"]*"/g, '$1')
    .replaceAll(
      / style="background-image: url\(&quot;([^"&]*)&quot;\)">/g,
      ' tabindex="-1" aria-hidden="true"><img loading="lazy" alt="" src="$1">',
    )
}
