/** Pages with forms, as a browser without a session opens and submits them. */

/** A page as it was shown. */
export interface ShownPage {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** Opens a page. */
export async function openPage(link: string, headers: Record<string, string> = {}): Promise<ShownPage> {
  return show(await fetch(link, { headers }))
}

/** Submits the form of a page; a redirect is an answer. */
export async function submitForm(link: string, fields: Record<string, string> = {}): Promise<ShownPage> {
  return show(await fetch(link, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }))
}

async function show(answer: Response): Promise<ShownPage> {
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
