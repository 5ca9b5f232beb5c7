/** The first module of the page, small so that it runs at once; it starts the page's code. */

import { beginEarly } from './app/early-requests.ts'
import { textsAreThere } from './texts/language.ts'

beginEarly()
// The browser fetches the page's script meanwhile. All of its modules may have texts, so it runs once those are there.
const { main = '' } = document.querySelector<HTMLElement>('[data-main]')?.dataset ?? {}
void textsAreThere.then(() => import(main))
