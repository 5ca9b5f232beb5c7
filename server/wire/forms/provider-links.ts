/** The links of a page to the log-ins by providers. */

import { byProvider } from '../../../packages/look/log-in-form.ts'
import { providerLoginPath } from '../../api/provider-paths.ts'
import type { Services } from '../../api/services.ts'
import type { Html } from '../html.ts'
import { linkButton } from './parts.ts'

/** A button to each provider, with fields for its start. */
export function providerLinks(
  { loginProviders }: Pick<Services, 'loginProviders'>,
  fields: Readonly<Record<string, string>>,
): readonly Html[] {
  const query = new URLSearchParams(fields).toString()
  return loginProviders.map(({ settings: { name, displayName } }) => {
    const path = providerLoginPath(name) + (query === '' ? '' : `?${query}`)
    return linkButton(byProvider(displayName), path, 'quiet')
  })
}
