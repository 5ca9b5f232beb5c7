/** The entry: shows the page for the session of this browser. */

import { render } from 'preact'
import { ApiProvider, openApi } from './app/api.ts'
import { applyLastTheme } from './shell/apply-appearance.ts'
import { Page } from './shell/page.tsx'

applyLastTheme()
const root = document.getElementById('app')
if (!root) throw new Error('the page has no place for the client')
render(
  <ApiProvider value={openApi()}>
    <Page />
  </ApiProvider>,
  root,
)
